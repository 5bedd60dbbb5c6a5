// Numbers in binary, and nim-sums.

/** The places of the digits of numbers up to this one, the highest first. */
export const digitPlaces = (/** @type {number} */ most) => {
  const width = most.toString(2).length;
  return Array.from({ length: width }, (_, n) => width - 1 - n);
};

/** The digit of a number at a place. @param {number} number @param {number} place */
export const bit = (number, place) => Math.floor(number / 2 ** place) % 2;

/** The nim-sum of heaps: a 1 where their column has an odd number of ones. */
export const nimSum = (/** @type {number[]} */ heaps) => heaps.reduce((sum, heap) => sum ^ heap, 0);
