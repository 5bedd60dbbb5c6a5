// The tools for modules that are loaded on demand. Such a module may not import others (lookup/page/src/lib.rs).

import * as address from "./address.js";
import { fail } from "./alert.js";
import * as api from "./api.js";
import * as dom from "./dom.js";
import * as download from "./download.js";
import * as gallery from "./gallery.js";
import { t } from "./language.js";
import * as notation from "./notation.js";
import { say } from "./status.js";

export const tools = { address, api, dom, download, fail, gallery, notation, say, t };

/** @typedef {typeof tools} Tools */
