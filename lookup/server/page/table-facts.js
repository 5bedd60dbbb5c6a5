// *Table*: the facts about the table of the game, how to cite it, and the answers to many positions at once.

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./api.js").Table} Table */
/** @typedef {import("./api.js").LookedUp} LookedUp */

/**
 * Returns the function that draws the facts. This module is loaded when the panel is first opened, and is given what it uses.
 * @param {import("./on-demand.js").Tools} tools
 */
export function makeTableFacts({
  api,
  address,
  dom: { html, mark, scrollingTable },
  download: { toCsv },
  notation: { moveWords, positionWords },
  t,
  say,
  fail,
}) {
  /** Maximum number of positions at once, and of those in the list; the copy has all. */
  const MAX = { asked: 10_000, listed: 200 };

  /** The facts on the page, and their table and language: they stay while positions change, with what the reader typed. */
  const shown = { table: "", code: "", root: html("div") };

  /** Returns the facts about the table of a game. */
  function drawTable(/** @type {Game} */ game) {
    const { table } = game;
    if (!table || (shown.table === table.name && shown.code === t.code)) return shown.root;
    const copy = (/** @type {string} */ words, /** @type {() => string} */ text) => {
      // If the browser does not allow copying, the field shows the text.
      const field = html("textarea", { readonly: true, hidden: true, "aria-label": words });
      const onclick = async () => {
        if (await address.copy(field, text())) say(t.table.copied);
      };
      return [html("button", { type: "button", onclick }, words), field];
    };
    const permanent = () => address.pageAddress() + address.format(table.digest, game.state.position);
    const facts = [
      [t.table.positions, t.number(table.positions)],
      [t.table.wins, t.number(table.wins)],
      [t.table.deepest, table.deepest === undefined ? "–" : t.number(table.deepest)],
      [t.table.bytes, t.number(table.bytes)],
      [t.table.digest, table.digest],
    ];
    const root = html(
      "div",
      { class: "stack" },
      html("p", {}, html("b", {}, table.title)),
      html(
        "dl",
        { class: "about-table" },
        ...facts.flatMap(([term, fact]) => [html("dt", {}, term), html("dd", {}, fact)]),
      ),
      html("h3", {}, t.table.cite),
      html("p", { class: "cited" }, citation(table)),
      html(
        "p",
        { class: "files" },
        ...copy(t.table.copyText, () => citation(table)),
        ...copy(t.table.copyBibtex, () => bibtex(table, permanent())),
        ...copy(t.table.copyAddress, permanent),
      ),
      html("h3", {}, t.table.many),
      lookUpForm(table, copy),
    );
    Object.assign(shown, { table: table.name, code: t.code, root });
    return root;
  }

  /** Returns the citation of a table, in English like the table's title. @param {Table} table */
  const citation = ({ title, positions, digest }) =>
    `The Bouton authors: ${title}. Table of ${positions.toLocaleString("en")} positions, BLAKE3 digest ${digest}.`;

  /** Returns the citation of a table for BibTeX. @param {Table} table @param {string} url */
  const bibtex = ({ title, positions, digest }, url) =>
    [
      `@misc{bouton-${digest.slice(0, 8)},`,
      "  author = {{The Bouton authors}},",
      `  title = {{${title}}},`,
      `  howpublished = {Table of ${positions.toLocaleString("en")} positions},`,
      `  note = {BLAKE3 digest ${digest}},`,
      `  url = {${url}},`,
      `  urldate = {${new Date().toISOString().slice(0, 10)}}`,
      "}\n",
    ].join("\n");

  /** Returns the form that looks many positions up. @param {Table} table @param {(words: string, text: () => string) => Node[]} copy */
  function lookUpForm(table, copy) {
    const field = html("textarea", {
      rows: 4,
      placeholder: table.suggested,
      spellcheck: "false",
      autocapitalize: "off",
    });
    const answers = html("div", { class: "stack" });
    const onsubmit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      /** @type {string[]} */ const asked = field.value.split("\n").filter((/** @type {string} */ line) => line.trim());
      if (asked.length === 0) return field.focus();
      try {
        if (asked.length > MAX.asked) throw new api.ApiError(413, t.table.tooMany(MAX.asked));
        const found = await api.lookUp(table.name, asked);
        const csv = copy(t.table.copyCsv, () => listed(found, asked));
        answers.replaceChildren(...drawAnswers(table, found, asked), html("p", { class: "files" }, ...csv));
      } catch (error) {
        fail(error, null);
      }
    };
    return html(
      "form",
      { class: "stack", onsubmit },
      html("label", { class: "stack" }, html("span", {}, t.table.lines), field),
      html("p", {}, html("button", {}, t.table.lookUp)),
      answers,
    );
  }

  /** Draws the answers as a table. @param {Table} table @param {LookedUp[]} found @param {string[]} asked */
  function drawAnswers(table, found, asked) {
    const row = (/** @type {LookedUp} */ { position, outcome, depth, best }, /** @type {number} */ n) =>
      outcome === undefined
        ? html("tr", {}, html("th", { scope: "row" }, asked[n].trim()), html("td", { colspan: 2 }, t.table.invalid))
        : html(
            "tr",
            {},
            html("th", { scope: "row" }, positionWords(table, position)),
            html("td", {}, mark(outcome), ` ${t.verdict.short(outcome, depth)}`),
            html("td", {}, best ? moveWords(best) : "–"),
          );
    const rest = found.length - MAX.listed;
    return [
      scrollingTable(t.table.many, t.table.heads, found.slice(0, MAX.listed).map(row)),
      ...(rest > 0 ? [html("p", { class: "aside" }, t.variants.more(rest))] : []),
    ];
  }

  /** Returns the answers as CSV. @param {LookedUp[]} found @param {string[]} asked */
  const listed = (found, asked) =>
    toCsv([
      ["position", "outcome", "depth", "best", "error"],
      ...found.map(({ position, outcome, depth, best, error }, n) => [
        error ? asked[n] : position,
        outcome,
        depth,
        best,
        error,
      ]),
    ]);

  return drawTable;
}
