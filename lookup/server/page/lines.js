// Breaks long rows into lines of equal length, so that 31 sticks at most 12 a line are 11, 10 and 10, not 12, 12 and 7.

/** Returns the index at which each line begins. @param {number} sticks @param {number} fits how many sticks fit one line */
function starts(sticks, fits) {
  const lines = Math.ceil(sticks / fits);
  const [short, longer] = [Math.floor(sticks / lines), sticks % lines];
  return Array.from({ length: lines }, (_, line) => line * short + Math.min(line, longer));
}

/** Breaks the rows of a board into lines. */
function breakLines(/** @type {Element} */ rows) {
  const all = [...rows.querySelectorAll(".sticks")].map((row) => ({
    row: /** @type {HTMLElement} */ (row),
    sticks: /** @type {HTMLElement[]} */ ([...row.querySelectorAll(".stick, .trace")]),
  }));
  for (const { row } of all) {
    row.classList.remove("in-lines");
    for (const stick of row.querySelectorAll(".begins")) stick.classList.remove("begins");
  }
  // The style sheet says how many sticks fit: count those of the first line. First measure all rows, then change them.
  const begun = all.map(({ sticks }) => {
    const fits = sticks.findIndex((stick) => stick.offsetTop > sticks[0].offsetTop);
    return fits < 0 ? [] : starts(sticks.length, fits);
  });
  all.forEach(({ row, sticks }, n) => {
    if (begun[n].length === 0) return;
    row.classList.add("in-lines");
    row.style.setProperty("--columns", String(begun[n][1]));
    for (const index of begun[n]) sticks[index].classList.add("begins");
  });
}

const observer = new ResizeObserver((entries) => entries.forEach(({ target }) => breakLines(target)));

/** Keeps the lines of rows equally long at every width of the board, from the next frame on. @param {Element} rows */
export function keepLinesEqual(rows) {
  observer.disconnect();
  observer.observe(rows);
}
