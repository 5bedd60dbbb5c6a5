// Positions and random numbers for the tests.

/** Returns a function that returns pseudorandom numbers below a limit, the same for the same seed. */
export function numbers(/** @type {number} */ seed) {
  let state = seed;
  return (/** @type {number} */ limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Sorts a list of moves for comparisons. */
export const byName = (/** @type {{move: string}[]} */ moves) =>
  [...moves].sort((a, b) => (a.move < b.move ? -1 : a.move > b.move ? 1 : 0));

/** A position of each game of the server, chosen so that the special rule of the game matters. */
export const EACH = {
  sticks: "3,5,7",
  "sticks-normal": "2,5,7",
  marienbad: "1,3,5,7",
  nim: "15,14,12,9,7",
  "nim-misere": "31,31,31,31,31",
  subtraction: "60,60,60",
  moore: "15,15,15,15",
  wythoff: "8,12",
  "nim-pass": "3,4,6/1",
  expanding: "30/4/1/4,3/-",
  "twenty-one": "21",
  "expanding-misere": "217/9/2/4,3/r",
  "expanding-growth-2": "400/45/1/4,4/-",
  "expanding-resets-1": "1000/0/1/1,1/-",
};
