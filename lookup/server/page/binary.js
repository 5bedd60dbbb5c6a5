// Numbers in binary, and nim-sums.

/** Returns the places of the binary digits of numbers up to this one, the highest first: 2, 1, 0 for 5. */
export const digitPlaces = (/** @type {number} */ most) => {
  const width = most.toString(2).length;
  return Array.from({ length: width }, (_, n) => width - 1 - n);
};

/** Returns the binary digit of a number at a place. @param {number} number @param {number} place */
export const bit = (number, place) => Math.floor(number / 2 ** place) % 2;

/** Returns the nim-sum of heaps: a 1 in each column with an odd number of ones. */
export const nimSum = (/** @type {number[]} */ heaps) => heaps.reduce((sum, heap) => sum ^ heap, 0);
