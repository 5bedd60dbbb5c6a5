// The tables that the page knows: tables of the server, of files that the reader opened, and of own rules.

import * as api from "./api.js";
import { isOwn } from "./own-rules.js";

/** @typedef {import("./api.js").Table} Table */

export class Tables {
  /** @type {Table[]} */ all = [];
  /** The limits of own rules; null if the service does not solve own rules. @type {api.OwnLimits | null} */ ownLimits =
    null;
  #changed;

  /** @param {(all: Table[]) => void} changed called when there are other tables */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Requests the server's tables. */
  async request() {
    const { tables, own } = await api.tables();
    this.all = tables;
    this.ownLimits = own;
    this.#changed(tables);
  }

  /** Returns the table of a name or a digest. */
  find(/** @type {string | null} */ name) {
    return this.all.find((table) => table.name === name) ?? this.all.find((table) => table.digest === name);
  }

  /** Returns a table by its name, and requests one of own rules. */
  async load(/** @type {string} */ name) {
    const there = this.find(name);
    if (there || !isOwn(name)) return there;
    return this.#add(await api.table(name), (table) => table.name);
  }

  /** Opens the file of a table. Returns the table. */
  async open(/** @type {File} */ file) {
    const content = new Uint8Array(await file.arrayBuffer());
    return this.#add(await api.openTable(file.name, content), (table) => table.digest);
  }

  /** Adds a table, unless there is one of the same name or digest, which this returns instead. @param {Table} table @param {(table: Table) => string} key */
  #add(table, key) {
    const there = this.find(key(table));
    if (there) return there;
    this.all = [...this.all, table];
    this.#changed(this.all);
    return table;
  }
}
