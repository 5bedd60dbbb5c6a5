// The page's words in German.

/** @typedef {import("./en.js").Who} Who */
/** @typedef {import("./en.js").Takes} Takes */
/** @typedef {import("./en.js").Game} Game */
/** @typedef {import("./en.js").Position} Position */

/** Avoids toLocaleString, whose first call is slow, where there is no separator. @param {number} n */
const number = (n) => (Number.isInteger(n) && n < 1000 ? String(n) : n.toLocaleString("de"));
const count = (/** @type {number} */ n, /** @type {string} */ one, /** @type {string} */ many) =>
  `${number(n)} ${n === 1 ? one : many}`;
const plies = (/** @type {number} */ n) => count(n, "Zug", "Züge");
/** Returns all items of a list except the last; of a long list, the first eight. */
const before = (/** @type {(string | number)[]} */ all) =>
  (all.length > 16 ? [...all.slice(0, 8), "…"] : all.slice(0, -1)).join(", ");
const listed = (/** @type {(string | number)[]} */ all, /** @type {string} */ last) =>
  all.length < 2 ? all.join("") : `${before(all)} ${last} ${all[all.length - 1]}`;
const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
const soon = (/** @type {number | undefined} */ depth) =>
  depth === undefined ? "" : ` in ${count(depth, "Zug", "Zügen")}`;
/** Returns the form of a verb for "du", or for others. */
const verb = (/** @type {Who} */ who, /** @type {string} */ du, /** @type {string} */ other) =>
  who === "you" ? du : other;
const pieces = (/** @type {number} */ n, /** @type {boolean} */ pile) =>
  pile ? count(n, "Stein", "Steine") : count(n, "Hölzchen", "Hölzchen");

/** @type {Record<Who, string>} */
const NAMES = { you: "du", table: "der Computer", opponent: "der Gegner", first: "Spieler 1", second: "Spieler 2" };
const name = (/** @type {Who} */ who) => capital(NAMES[who]);

/** Returns the stones of a move, without a verb. @param {Takes} takes */
const taken = (takes) =>
  listed(
    takes.map(({ row, stones }) => (row === null ? number(stones) : `${number(stones)} aus Reihe ${row}`)),
    "und",
  );

/** Returns a move as an instruction, in the infinitive. @param {Takes} takes @param {boolean} reset */
const take = (takes, reset) =>
  takes.length === 0 ? "passen" : `${taken(takes)} nehmen${reset ? " und zurücksetzen" : ""}`;

/** Returns a move that a player made, as the beginning of a sentence. @param {Who} who @param {Takes} takes @param {boolean} reset @param {string} [then] what else they did */
const took = (who, takes, reset, then = "") =>
  `${name(who)} ${listed(
    [
      takes.length === 0 ? "passt" : `${verb(who, "nimmst", "nimmt")} ${taken(takes)}`,
      ...(reset ? ["setzt die Grenze zurück"] : []),
      ...(then ? [then] : []),
    ],
    "und",
  )}`;

/** Returns a move in few words, for tables and lists. @param {Takes} takes @param {boolean} reset */
const briefMove = (takes, reset) =>
  takes.length === 0
    ? "passen"
    : `${taken(takes).replace(/Reihe (?=\d)/g, "Reihe\u00a0")}${reset ? " mit Rück\u00adsetzung" : ""}`;

/** Returns a position in words. @param {Position} position @param {boolean} [brief] in few words, for tables */
function position({ pile, heaps = [], passes }, brief = false) {
  if (pile) {
    const stones = brief ? number(pile.stones) : pieces(pile.stones, true);
    return pile.stones === 0 ? "nichts mehr" : `noch ${stones}, Grenze ${number(pile.limit)}`;
  }
  const rows =
    heaps.length === 1 ? pieces(heaps[0], false) : heaps.join(brief && heaps.join("").length < 4 ? ",\u00a0" : ", ");
  const left = passes === undefined ? "" : `; ${passes === 0 ? "kein Passen mehr" : `noch ${passes}-mal passen`}`;
  return heaps.some((heap) => heap > 0) ? rows + left : "nichts mehr";
}

/** @param {number[]} counts */
const exactly = (counts) => (counts.length === 1 ? `genau ${counts[0]}` : listed(counts, "oder"));

/** @param {any} rules */
function mayTakeOfHeaps(rules) {
  const several = rules["heaps-per-move"] ?? 1;
  const amount =
    rules.take === "any"
      ? "beliebig viele Hölzchen"
      : typeof rules.take === "number"
        ? `${rules.take === 1 ? "" : "1 bis "}${pieces(rules.take, false)}`
        : `${listed(rules.take, "oder")} Hölzchen`;
  const deed =
    several === 1
      ? `${amount} aus einer Reihe`
      : Array.isArray(several)
        ? `aus ${exactly(several)} Reihen jeweils ${rules["equal-take"] ? "gleich viele: " : ""}${amount}`
        : rules["equal-take"]
          ? `${amount} aus einer Reihe oder gleich viele aus ${several === 2 ? "zwei" : `bis zu ${several}`} Reihen`
          : `aus bis zu ${several === 2 ? "zwei" : several} Reihen jeweils ${amount}`;
  const pass = !rules.passes
    ? ""
    : rules.passes === 1
      ? " Einmal im Spiel darf eine der beiden Seiten passen, solange noch ein Zug möglich ist."
      : ` Insgesamt ${rules.passes}-mal darf gepasst werden, gleich von wem, solange noch ein Zug möglich ist.`;
  return `Wer am Zug ist, nimmt ${deed}.${pass}`;
}

/** @param {any} rules */
function mayTakeOfPile(rules) {
  const [first, second] = rules.resets;
  const times = (/** @type {number} */ n) => (n === 0 ? "nie" : n === 1 ? "einmal" : `${number(n)}-mal`);
  const reset = `: Dann darf der Gegner höchstens ${rules["reset-limit"]} nehmen.`;
  const resets =
    first + second === 0
      ? ""
      : first === second
        ? ` Jede Seite darf beim Ziehen ${times(first)} die Grenze zurücksetzen${reset}`
        : ` Wer beginnt, darf beim Ziehen ${times(first)} die Grenze zurücksetzen, die andere Seite ${times(second)}${reset}`;
  const limit =
    rules.growth === 0
      ? "Sie ist so groß wie der bisher größte Zug, aber nie unter"
      : `Sie liegt um ${rules.growth} über dem bisher größten Zug, aber nie unter`;
  return `Wer am Zug ist, nimmt Steine bis zu einer Grenze: ${limit} ${rules["base-limit"]}.${resets}`;
}

/** Returns the amounts that a move may take. */
const mayTake = (/** @type {Game} */ table) =>
  table.game === "heaps" ? mayTakeOfHeaps(table.rules) : mayTakeOfPile(table.rules);

const lastOne = (/** @type {Game} */ table) =>
  `Wer ${table.game === "heaps" ? "das letzte Hölzchen" : "den letzten Stein"} nimmt, ${table.rules.play === "misere" ? "verliert" : "gewinnt"}.`;

const ofOne = (/** @type {number} */ n) => `${count(n, "Reihe", "Reihen")} mit einem Hölzchen`;

const NO_MOVE_KEEPS_IT =
  "Ein Zug ändert nur eine Reihe, und jede Spalte, in der sich dabei eine Ziffer ändert, wird ungerade.";
const LEADS_TO_LOST = "eine Antwort, die wieder in eine Verluststellung führt";

const noMoveKeepsMultiples = (/** @type {number} */ modulus) => {
  const most = modulus - 1;
  const ones = most === 1 ? "eine Eins" : `${most === 2 ? "1 oder 2" : `1 bis ${most}`} Einsen`;
  return `In der höchsten Spalte, die ein Zug ändert, nimmt er ${ones} weg.`;
};

/** Returns for example "Nimm 2 aus Reihe 1 (aus 7 wird 5)". @param {any} block */
const deedOf = ({ move, makes }) =>
  `Nimm ${taken(move.takes)} (${makes.map((/** @type {any} */ { from, to }) => `aus ${from} wird ${to}`).join(", ")})`;

/** Returns the statement of a theorem, which follows its name. @param {any} block */
function theorem({ key, modulus, values, more, statement }) {
  switch (key) {
    case "nim":
      return "Eine Stellung ist genau dann verloren, wenn ihre Nim-Summe 0 ist: wenn also in jeder Spalte der Reihen, im Zweiersystem geschrieben, die Anzahl der Einsen gerade ist.";
    case "misere-nim":
      return "Solange eine Reihe zwei oder mehr Hölzchen hat, ist eine Stellung wie im Normalspiel genau dann verloren, wenn ihre Nim-Summe 0 ist. Haben alle Reihen höchstens ein Hölzchen, so nimmt jeder Zug eines davon: Dann ist eine Stellung genau dann verloren, wenn die Zahl der Hölzchen ungerade ist.";
    case "bachet": {
      const rest =
        values[0] === 0 ? `${modulus} die Reihe teilt` : `beim Teilen der Reihe durch ${modulus} 1 übrig bleibt`;
      return `Eine Stellung ist genau dann verloren, wenn ${rest}: ${values.join(", ")}${more ? ", …" : ""}. Was ein Zug auch nimmt, die Antwort kann nehmen, was dann zu ${modulus} fehlt.`;
    }
    case "grundy":
      return `Der Wert einer Reihe ist die kleinste Zahl (ab 0), die unter den Werten der Reihen fehlt, die ein Zug aus ihr machen kann. Eine Stellung ist genau dann verloren, wenn die Nim-Summe der Werte 0 ist: wenn also in jeder Spalte die Anzahl der Einsen gerade ist. Die Werte von Reihen mit 0, 1, 2, … Hölzchen: ${values.join(", ")}${more ? ", …" : ""}`;
    case "moore":
      return `Darf ein Zug aus bis zu ${modulus - 1} Reihen nehmen, so ist eine Stellung genau dann verloren, wenn in jeder Spalte der Reihen, im Zweiersystem geschrieben, die Anzahl der Einsen ein Vielfaches von ${modulus} ist.`;
    case "wythoff": {
      const pairs = values.flatMap((/** @type {number} */ a, /** @type {number} */ n) =>
        n % 2 === 0 ? [`(${a},${values[n + 1]})`] : [],
      );
      return `Die verlorenen Paare beginnen mit (0,0). Dann kommt jedes Mal die kleinste Zahl, die in keinem früheren Paar vorkommt, und als zweite ihre Summe mit der Nummer des Paars: ${pairs.join(" ")}${more ? " …" : ""}`;
    }
    default:
      return statement;
  }
}

/** Returns a conclusion from a theorem. @param {any} block @param {any} why */
function sentence(block, why) {
  const { key, text, move, answer, numbers = [] } = block;
  const of = why.blocks.find((/** @type {any} */ { kind }) => kind === "theorem")?.key;
  const example =
    move && answer
      ? ` Ein Beispiel: ${took(why.who, move.takes, move.reset)}; die Antwort ist: ${take(answer.takes, answer.reset)}.`
      : "";
  switch (key) {
    case "no-theorem":
      return "Bouton kennt keinen Satz, der diese Regeln entscheidet; so begründet es die Tabelle selbst.";
    case "too-large":
      return "Diese Reihen sind zu groß, um hier auszurechnen, was der Satz zu diesem Spiel über sie sagt; so begründet es die Tabelle selbst.";
    case "contradicted":
      return "Der Satz, der dieses Spiel entscheidet, widerspricht der Tabelle: Trau ihr nicht, und prüfe sie mit `bouton verify`. So begründet es die Tabelle:";
    case "sum-is-zero": {
      const end =
        of === "misere-nim"
          ? " oder lässt nur noch Reihen mit einem Hölzchen übrig, und zwar eine ungerade Anzahl davon"
          : "";
      return `Die Nim-Summe ist 0, und kein Zug lässt sie bei 0: ${NO_MOVE_KEEPS_IT} Die Antwort des Gegners macht alle Spalten wieder gerade${end}.${example}`;
    }
    case "makes-sum-zero": {
      const [from, to, sum] = numbers;
      return `Die Spalten, in denen die Nim-Summe eine 1 hat, müssen sich ändern, und zwar alle in derselben Reihe. ${deedOf(block)}: Die Nim-Summe ${of === "grundy" ? "der Werte" : "von"} ${from} und ${sum} ist ${to}, und die Nim-Summe aller ${of === "grundy" ? "Werte" : "Reihen"} wird 0.`;
    }
    case "sum-stays-not":
      return `Von dort aus lässt kein Zug die Nim-Summe bei 0: ${NO_MOVE_KEEPS_IT}`;
    case "ones": {
      const [heaps] = numbers;
      return `Die Stellung hat ${ofOne(heaps)}: Die Anzahl ist ${heaps % 2 === 0 ? "gerade, also muss der Gegner das letzte nehmen" : "ungerade, also muss das letzte nehmen, wer am Zug ist"}.`;
    }
    case "leaves-ones":
      return `Hier trennt sich das Misère-Spiel vom Normalspiel, denn der Zug lässt keine Reihe mit zwei oder mehr Hölzchen übrig. ${deedOf(block)}. Es bleibt eine ungerade Anzahl übrig, nämlich ${ofOne(numbers[0])}, und der Gegner muss das letzte nehmen. Im Normalspiel würde man eine gerade Anzahl übrig lassen.`;
    case "rest": {
      const [heap, modulus, rest] = numbers;
      const divided =
        rest === 0 ? `${modulus} teilt ${heap}.` : `${heap} geteilt durch ${modulus} lässt den Rest ${rest}.`;
      const moved = block.makes?.length > 0;
      const last = rest === 0 ? "" : ` ${moved ? "Der Gegner" : "Wer am Zug ist,"} muss das letzte nehmen.`;
      const then = moved
        ? ` Was der Gegner auch nimmt: Nimm danach, was zu ${modulus} fehlt, und es bleibt so.`
        : ` Was auch genommen wird: Der Gegner kann nehmen, was dann zu ${modulus} fehlt, und es bleibt so.${example}`;
      return `${moved ? `${deedOf(block)}: ` : ""}${divided}${heap === rest ? last : then}`;
    }
    case "all-multiples":
      return `Alle Anzahlen sind Vielfache von ${numbers[0]}, aber nach keinem Zug sind es noch alle: ${noMoveKeepsMultiples(numbers[0])}${example}`;
    case "makes-multiples":
      return `${deedOf(block)}, und in jeder Spalte wird die Anzahl der Einsen ein Vielfaches von ${numbers[0]}:`;
    case "multiples-stay-not":
      return `Von dort aus sind nach keinem Zug mehr alle Anzahlen Vielfache von ${numbers[0]}: ${noMoveKeepsMultiples(numbers[0])}`;
    case "lost-pair": {
      const [n, a, b] = numbers;
      return `${move ? `${deedOf(block)}: Das ist` : "Das ist"} (${a},${b}), das Paar mit der Nummer ${n}. Kein Zug führt von einem verlorenen Paar zu einem anderen, denn keine zwei von ihnen haben eine Zahl gemeinsam, und keine zwei dieselbe Differenz.`;
    }
    default:
      return text;
  }
}

/** Returns the conclusion from the replies. @param {any} why */
function replies({ best, of, outcome, replies }) {
  const over = replies.length === 0;
  const ends = replies.some((/** @type {any} */ { answer }) => answer === null);
  if (best === null && over)
    return `Es gibt keinen Zug mehr: Wer am Zug ist, hat damit nach den Regeln ${outcome === "win" ? "gewonnen" : "verloren"}.`;
  if (best === null)
    return ends ? `Jeder Zug beendet das Spiel oder hat ${LEADS_TO_LOST}:` : `Auf jeden Zug gibt es ${LEADS_TO_LOST}:`;
  const why = over
    ? "Dort gibt es keinen Zug mehr."
    : ends
      ? `Jeder weitere Zug beendet das Spiel oder hat ${LEADS_TO_LOST}.`
      : `Auf jeden weiteren Zug gibt es ${LEADS_TO_LOST}.`;
  return `Der beste Zug ist: ${take(best.takes, best.reset)}. Die Stellung danach (${position(of)}) ist für den Gegner verloren: ${why}`;
}

/** The names of axes in answers of the server, and in German. @type {Record<string, string>} */
const AXES = {
  "stones left": "übrige Steine",
  "currentmax: most taken at once": "größter Zug bisher",
};

const MOVES = "Gezählt werden die Züge beider Seiten.";
const MISERE = "Im Misère-Spiel verliert, wer das letzte Hölzchen nimmt.";

/** @type {import("../language.js").Texts} */
export const texts = {
  code: "de",
  html: {
    more: "Mehr",
    less: "Weniger",
    "more-tools": "Mehr …",
    another: "Anderes Spiel",
    rules: "Jede Stellung ist gelöst: Spiel, und sieh, warum.",
    "@page": "Seite",
    games: "Spiele",
    learn: "Lernen",
    present: "Vollbild",
    "present-end": "Vollbild beenden",
    guide: "Hilfe",
    "guide-about": "Bouton hat diese Spiele vollständig gelöst: Es weiß von jeder Stellung, wer gewinnt und wie.",
    "@language": "Sprache",
    "@solving": "Das Spiel wird gelöst",
    choose: "Wähle ein Spiel",
    own: "Eigene Regeln",
    "@board": "Spielbrett",
    settings: "Einstellungen",
    "@settings": "Einstellungen",
    game: "Spiel",
    start: "Startstellung",
    restart: "Von vorn",
    opponent: "Gegner",
    perfect: "Computer, perfekt",
    medium: "Computer, mittel",
    easy: "Computer, leicht",
    friend: "zu zweit an diesem Gerät",
    nobody: "niemand: sieh dem Computer zu",
    elsewhere: "Spiel anderswo",
    side: "Du ziehst",
    first: "zuerst",
    second: "als Zweites",
    loading: "Wird geladen …",
    again: "Noch einmal",
    pass: "Passen",
    reset: "Mit Rücksetzung",
    undo: "Rückgängig",
    redo: "Wiederholen",
    "@tools": "Werkzeuge",
    "@tools-play": "Spielen",
    "@tools-understand": "Verstehen",
    "@tools-explore": "Erkunden",
    "@tools-share": "Weitergeben",
    hint: "Tipp",
    show: "Zeig’s mir",
    why: "Warum?",
    history: "Verlauf",
    map: "Karte",
    variants: "Varianten",
    challenge: "Rätsel",
    share: "Teilen",
    print: "Drucken",
    keys: "Tasten",
    "@address": "Zum Kopieren",
    "learn-title": "Lernen",
    "challenge-title": "Rätsel",
    "why-title": "Warum?",
    "history-title": "Verlauf",
    save: "Partie speichern",
    "open-file": "Datei öffnen: Partie oder Tabelle",
    table: "Tabelle",
    open: "Partie öffnen",
    "@recorded": "Partie aus der Datei",
    "map-title": "Karte",
    "@colours": "Farben",
    "variants-title": "Varianten",
    other: "Andere Regeln",
    whole: "Die ganze Seite öffnen",
    printing: "Drucken",
    "sheet-about": "Jedes Arbeitsblatt hat seine Lösungen auf einer zweiten Seite.",
    "sheet-moves": "Arbeitsblatt: Finde den Gewinnzug",
    "sheet-outcomes": "Arbeitsblatt: Wer kann gewinnen?",
    "sheet-table": "Arbeitsblatt: Fülle die Tabelle",
    "lost-table": "Liste: die Verluststellungen",
    close: "Schließen",
    "keys-title": "Tasten",
    key: "Taste",
    does: "was sie tut",
    "key-choose": "einen Zug zurück, einen vor; auf dem Spielbrett: eins mehr, eins weniger wählen",
    "key-row": "zum Spielbrett, und dort in eine andere Reihe",
    "key-all": "zum Anfang, zum Ende der Partie; auf dem Spielbrett: alle, nur eins wählen",
    "key-digits": "was der Gegner nimmt, bei einem Spiel anderswo",
    "key-take": "die gewählten Hölzchen nehmen",
    "key-reset": "die Grenze zurücksetzen, im Wachsenden Nim",
    "key-undo": "rückgängig machen, wiederholen",
    "key-restart": "von vorn beginnen",
    "key-pause": "den Computer anhalten oder weiterspielen lassen",
    "key-show": "zeigen, welche Züge gewinnen und welche verlieren",
    "key-panels": "Warum?, Verlauf, Karte, Varianten, Rätsel, Tabelle",
    "key-page": "Spiele, Lernen, Hilfe, Vollbild",
    "key-hint": "ein Tipp: wo, nicht was",
    "key-help": "diese Liste zeigen",
    shortcuts: "Buchstaben und ? gelten als Tasten",
  },

  number,
  capital,
  take,
  briefMove,
  position,

  status: {
    loading: "Wird geladen …",
    nothing: "Noch nichts zu spielen.",
    waiting: "Warten auf die Antwort …",
    turn: (who) => `${name(who)} ${verb(who, "bist", "ist")} am Zug.`,
    waits: (who) =>
      who === "you" ? "Wähle deinen Zug oder drücke „Weiter“." : `${name(who)} ist am Zug. Drücke „Weiter“.`,
    won: (who) => `Das Spiel ist aus. ${name(who)} ${verb(who, "hast", "hat")} gewonnen.`,
    empty: "Es gibt keinen Zug mehr, also nichts zu spielen.",
    deed: took,
    start: "Wieder in der Startstellung.",
    at: (at, of) => `Bei Zug ${at} von ${of}.`,
    undone: {
      move: "",
      begin: "Die Partie von vorhin ist wieder da.",
      seat: "Wer spielt, ist wieder wie vorher.",
      go: "",
      walk: "",
      line: "Die Zugfolge von vorhin ist wieder da.",
    },
    copied: "Adresse kopiert.",
    copy: "Kopiere es aus dem Feld unten.",
    copiedFile: "Sie öffnet diese Datei da, wo sie liegt; in einer anderen Kopie füge sie bei „Startstellung“ ein.",
    exported: "Die Partie ist gespeichert.",
  },

  play: {
    take: "Nehmen …",
    illegal: "Dieser Zug ist hier nicht erlaubt.",
    how: (pile, several) =>
      pile
        ? "Wähle einen Stein: Alle rechts davon nimmst du mit."
        : `Wähle ein Hölzchen: Alle rechts davon nimmst du mit.${several ? " Du darfst auch in anderen Reihen wählen." : ""}`,
    howQueen:
      "Wähle ein Feld: Die Dame zieht nach links (Reihe 1), nach unten (Reihe 2) oder schräg (aus beiden gleich viele).",
    pause: "Anhalten",
    go: "Weiter",
    passesLeft: (n) => `Passen: ${n === 0 ? "nicht mehr" : `noch ${number(n)}-mal`} möglich`,
    thrown: (who, ply) => `${name(who)} ${verb(who, "hast", "hat")} den Sieg mit Zug ${ply} verschenkt.`,
    noneThrown: "Kein Zug hat den Sieg verschenkt: Er stand von Anfang an fest.",
    look: "Ansehen",
  },

  guide: {
    choose: "Wähle ein Spiel; unter seinem Namen steht, was man nehmen darf.",
    take: "Dann drücke „Nehmen“. Alles lässt sich zurücknehmen, auch eine neue Partie.",
    buttons: {
      hint: "sagt, wo du suchen kannst, nicht was du tun sollst.",
      show: "markiert die Züge, die gewinnen, und die, die verlieren.",
      why: "begründet es: mit dem Satz, wenn einer bekannt ist, und einer Antwort auf jeden Zug.",
      history: "zeigt Zug für Zug, wer gewinnen würde und wo ein Sieg verschenkt wurde; speichert und öffnet Partien.",
      map: "zeigt alle Stellungen um diese herum, gewonnene und verlorene.",
      variants: "vergleicht mit derselben Stellung unter anderen Regeln.",
      challenge: "fragt nach Gewinnzügen, einem nach dem anderen.",
      table: "sagt, wie groß die Tabelle ist und wie man sie zitiert, und beantwortet viele Stellungen auf einmal.",
      learn: "zeigt dir in zehn Schritten, wie man gewinnt.",
      settings:
        "sind für die Startstellung, den Gegner und dafür, wer beginnt; spielst du anderswo, rät dir der Computer.",
      present: "füllt die Leinwand eines Beamers; Esc beendet es.",
      share: "kopiert eine Adresse, die genau diese Partie öffnet, oder stellt sie als Aufgabe.",
      print: "macht ein Arbeitsblatt oder eine Liste der Verluststellungen.",
    },
  },

  board: {
    heaps: "Hölzchen",
    pile: "Steine",
    chessboard: "Schachbrett, die Ecke ist 0,0",
    queen: (at) => `Dame auf ${at}`,
    square: (at, take) => `nach ${at}: ${take}`,
    row: (n) => `Reihe\u00a0${n}`,
    aRow: (n) => `Reihe ${n}`,
    thePile: "Haufen",
    // It follows "aus".
    aPile: "dem Haufen",
    holds: (name, n, pile) => `${name}: ${pieces(n, pile)}`,
    outOfReach: (n) => `${pieces(n, true)} außer Reichweite`,
    stick: (name, pile, n, of, taken) =>
      `${name}, ${pile ? "Stein" : "Hölzchen"} ${n} von ${of}: ${taken === 1 ? (pile ? "den letzten" : "das letzte") : taken === of ? `alle ${taken}` : `die letzten ${taken}`} wählen`,
    howMany: (name) => `Wie viele aus ${name}`,
    bar: (name) => `Wie viele aus ${name}, als Balken`,
    fewer: (name) => `Eins weniger aus ${name}`,
    more: (name) => `Eins mehr aus ${name}`,
    left: "übrige Steine",
    limit: "Grenze",
    bound: "für diesen Zug zurückgesetzt",
    most: "größter Zug",
    resets: (who) => `Rücksetzungen: ${NAMES[who].replace("der ", "")}`,
    resetsLeft: (left, of) => `noch ${left} von ${of}`,
    none: "keine",
    taken: "Genommen",
    taker: (who) => capital(NAMES[who].replace("der ", "")),
    withLast: (pile) => (pile ? "mit dem letzten Stein" : "mit dem letzten Hölzchen"),
  },

  match: {
    ask: (who) => verb(who, "Was nimmst du?", "Was nimmt der Gegner?"),
    other: "Anders gezogen?",
    resets: (yours, theirs) => `Rücksetzungen: du ${yours}, Gegner ${theirs}`,
    erase: "Letzte Ziffer löschen",
  },

  rules: {
    all: (table) => `${lastOne(table)} ${mayTake(table)}`,
    mayTake,
  },

  verdict: {
    short: (outcome, depth) => `${outcome === "win" ? "gewinnt" : "verliert"}${soon(depth)}`,
    toMove: (outcome, depth) => `Wer am Zug ist, ${outcome === "win" ? "gewinnt" : "verliert"}${soon(depth)}.`,
    wins: (who, depth) => `${name(who)} ${verb(who, "gewinnst", "gewinnt")}${soon(depth)}`,
    move: (outcome, reset) => `${reset ? "mit Rücksetzung: " : ""}${outcome === "win" ? "gewinnt" : "verliert"}`,
    left: (n) => `danach noch ${plies(n)}`,
    leftOf: (n) => `${n === 1 ? "Zug" : "Züge"} danach`,
  },

  show: {
    over: "Es gibt keinen Zug mehr.",
    win: (who, depth, winning, all) =>
      `${name(who)} ${verb(who, "kannst", "kann")} von hier aus${soon(depth)} gewinnen: ${winning === 1 ? "Ein Zug gewinnt" : `${number(winning)} von ${number(all)} Zügen gewinnen`}.`,
    loss: (who, depth) =>
      `${name(who)} ${verb(who, "verlierst", "verliert")} von hier aus${soon(depth)}, wenn der Gegner keinen Fehler macht: Kein Zug gewinnt.`,
    thisWins: "dieser Zug gewinnt",
    thisLoses: "dieser Zug verliert",
    number: "Zahl: Züge danach",
    reset: "r: mit Rücksetzung",
    moves: "Mögliche Züge",
    more: (n) => `${number(n)} weitere zeigen`,
  },

  hint: {
    lost: "Hier gewinnt kein Zug. Spiel auf Zeit: Nimm wenig.",
    row: (rows) => `Schau dir Reihe ${listed(rows, "oder")} an.`,
    rows: (rows) => `Schau dir die Reihen ${listed(rows, "und")} zusammen an.`,
    pass: "Und wenn du gar nichts nimmst?",
    reset: "Denk an das Zurücksetzen.",
    few: "Wenige Steine genügen.",
    many: "Nimm recht viele.",
    over: "Es gibt keinen Zug mehr.",
  },

  why: {
    theorem: ({ key, name }) =>
      `${/** @type {Record<string, string>} */ ({ "misere-nim": "Bouton (1901), Misère-Spiel", grundy: "Sprague und Grundy" })[key] ?? name}: `,
    argument: "Die Begründung in Worten",
    replies: "Züge und Antworten",
    each: "Jeder Zug von hier aus und die Antwort darauf",
    after: (who, takes, reset) => `${took(who, takes, reset)}: jeder Zug des Gegners und die Antwort darauf`,
    heads: ["Zug", "führt zu", "Antwort", "führt zu"],
    none: "keine: Es gibt keinen Zug mehr",
    more: (n) => `und ${count(n, "weiterer Zug", "weitere Züge")}`,
    row: "Reihe",
    heap: "Hölzchen",
    value: "Wert",
    sum: "Nim-Summe",
    ones: (modulus) => `Einsen mod ${modulus}`,
    odd: "ungerade",
    now: "Jetzt",
    move: (who, takes, reset, which) =>
      `${took(who, takes, reset)}: ${{ chosen: "der gewählte Zug", best: "der beste Zug", try: "der beste Versuch" }[which]}`,
    even: "Dann ist jede Spalte gerade: Die Nim-Summe ist 0.",
    oddOnes: (sum) => `Dann sind die Spalten mit ▲ ungerade: Die Nim-Summe ist ${sum}.`,
    block: (block, why) =>
      block.kind === "theorem"
        ? theorem(block)
        : block.kind === "sentence"
          ? sentence(block, why)
          : block.kind === "replies"
            ? replies(why)
            : (block.statement ?? block.text),
  },

  history: {
    curve: "Die Kurve",
    byPly: "Kurve nach Zügen",
    ply: (n) => `Zug ${n}`,
    depth: "Tiefe: Züge bis zum Ende",
    whoWins: "wer gewinnt",
    wins: (who) => `${name(who)} ${verb(who, "gewinnst", "gewinnt")}`,
    point: (at, position, wins, mistake) =>
      `Zug ${at} (${position}): ${wins}${mistake ? "; ein Sieg wurde verschenkt" : ""}`,
    noMove: "Noch hat niemand gezogen.",
    choose:
      "Wähle einen Punkt, um dorthin zurückzugehen; „Wiederholen“ führt wieder nach vorn. Mit den Pfeiltasten gehst du die Kurve entlang.",
    noneThrown: "Kein Zug hat einen Sieg verschenkt.",
    thrown: (ply, who, takes, reset) =>
      `Zug ${ply}: ${took(who, takes, reset, `${verb(who, "verschenkst", "verschenkt")} den Sieg`)}.`,
    better: (move) => `Der beste Zug war: ${move}.`,
    moves: "Züge",
    heads: ["Nr.", "wer", "Zug", "Stellung"],
    by: name,
    mistake: "verschenkt",
    variations: "Andere Zugfolgen dieser Partie",
    variation: (from, moves) => `ab Zug ${from}: ${moves}`,
  },

  map: {
    won: "gewonnen, wenn man am Zug ist",
    lost: "verloren",
    here: "hier",
    stronger: "kräftigere Farbe: weiter vom Ende",
    strongerValue: "kräftigere Farbe: größerer Wert",
    plane: "Die Ebene",
    axis: (name) => AXES[name] ?? name.replace(/^stones in row (\d+)$/, "Hölzchen in Reihe $1"),
    none: (place) => `${place}: keine Stellung`,
    cell: (place, win, depth) => `${place}: wer am Zug ist, ${win ? "gewinnt" : "verliert"}${soon(depth)}`,
    at: (cell) => `Hier: ${cell}.`,
    summary: (across, up, lost, known) =>
      `${across}${up && ` und ${up}`}: In ${lost} von ${count(known, "Stellung", "Stellungen")} verliert, wer am Zug ist.`,
    range: (name, from, to) => `${name} von ${from} bis ${to}`,
    byOutcome: "gewonnen und verloren",
    byDepth: "nach Tiefe",
    byValue: "nach Wert (Nim-Summe)",
    against: (name) => `im Vergleich mit ${name}`,
    differs: (name) => `anderes Ergebnis bei ${name}`,
    controls: "Zoom und Ausschnitt",
    does: {
      "-": "Verkleinern",
      "+": "Vergrößern",
      ArrowLeft: "Nach links",
      ArrowRight: "Nach rechts",
      ArrowDown: "Nach unten",
      ArrowUp: "Nach oben",
      Home: "Zurück zur Stellung",
    },
    csv: "Als CSV speichern",
    svg: "Als SVG speichern",
    every: (position) => `Alle Stellungen ab ${position}`,
    label: (pile) =>
      !pile?.stones
        ? ["nichts mehr"]
        : [
            `Grenze ${pile.limit}`,
            `Rücksetzungen ${pile.resets.join(", ")}`,
            ...(pile.imposed ? ["zurückgesetzt"] : []),
          ],
    resets: "Rücksetzungen: zuerst die der Seite am Zug",
    everyPosition: "Alle Stellungen",
    winningMove: "Gewinnzug",
    played: "gespielt",
    whole: (position, all, lost, moves, played) =>
      `Alle ${all} Stellungen ab ${position} mit ${moves} Zügen; in ${lost} davon verliert, wer am Zug ist. Gespielt: ${played}.`,
  },

  variants: {
    none: "Es gibt keine andere Tabelle aus dieser Familie von Spielen.",
    differs: "Über diese Stellung fällt das Urteil verschieden aus.",
    same: "Über diese Stellung ist das Urteil in jeder Hinsicht gleich.",
    sameOutcome: (differing) =>
      `Es gewinnt dieselbe Seite. Verschieden: ${differing.map((key) => /** @type {Record<string, string>} */ ({ depth: "wie bald", best: "der beste Zug", winning: "die Gewinnzüge" })[key] ?? key).join(", ")}.`,
    go: "Mit den anderen Regeln weiter",
    best: (move) => `Bester Zug: ${move}`,
    bestTry: (move) => `Kein Zug gewinnt; der beste Versuch: ${move}`,
    win: (n) => `${number(n)} Züge gewinnen.`,
    notCovered: "Die Tabelle der anderen Regeln deckt diese Stellung nicht ab.",
    notAllowed: "nicht erlaubt",
    differ: "anders",
    moves: (differing, single) =>
      `${differing === 0 ? "Kein Zug geht" : count(differing, "Zug geht", "Züge gehen")} anders aus${single === 0 ? "." : `; ${count(single, "ist", "sind")} nur nach den einen Regeln erlaubt, nicht nach den anderen.`}`,
    both: "Züge nach beiden Regeln",
    move: "Zug",
    more: (n) => `und ${number(n)} ${n === 1 ? "weiterer" : "weitere"}`,
  },

  table: {
    positions: "Stellungen",
    wins: "davon gewinnt, wer am Zug ist",
    deepest: "Züge des längsten Spiels",
    bytes: "Bytes der Datei",
    digest: "Prüfsumme (BLAKE3)",
    cite: "Diese Tabelle zitieren",
    copyText: "Zitat kopieren",
    copyBibtex: "Als BibTeX kopieren",
    copyAddress: "Dauerhafte Adresse kopieren",
    copied: "Kopiert.",
    many: "Viele Stellungen auf einmal",
    lines: "Stellungen, eine in jeder Zeile",
    lookUp: "Nachschlagen",
    copyCsv: "Als CSV kopieren",
    invalid: "keine Stellung dieses Spiels",
    heads: ["Stellung", "Ergebnis", "bester Zug"],
    tooMany: (most) => `Zu viele Zeilen: höchstens ${number(most)} auf einmal.`,
  },

  error: {
    silent: "Der Server antwortet nicht. Vielleicht wurde er beendet, oder das Netz ist unterbrochen.",
    cut: "Die Antwort des Servers kam nicht ganz an.",
    part: "Dieser Teil der Seite ließ sich nicht laden. Vielleicht ist das Netz unterbrochen, oder es gibt eine neue Fassung: dann hilft es, die Seite neu zu laden.",
    unsolved: (/** @type {string} */ why) => `In diesem Browser lassen sich die Spiele nicht lösen: ${why}.`,
    noGames: "Die Liste der Spiele konnte nicht geladen werden.",
    again: "Noch einmal",
    close: "Schließen",
    nonsense: (text) =>
      `Die Adresse endet mit „#${text}“, und das bedeutet hier nichts. Vielleicht wurde sie abgeschnitten; wähle ein Spiel.`,
    noTables: "Der Server hat noch keine Tabellen.",
    refused: (reasons) => `Der Server kann seine Tabellen nicht anbieten. ${reasons}.`,
    status: (status) => `Der Server konnte nicht antworten (Status ${status}).`,
    long: "Die Adresse ist zu lang. Beginne bei einer späteren Stellung.",
    unknown: (parts) => `In der Adresse nicht verstanden: ${parts}. Alles andere gilt.`,
    noDigest: ({ table }) =>
      `Die Tabelle mit der Prüfsumme ${table} ist nicht hier. Öffne ihre Datei, oder wähle ein Spiel.`,
    details: "Einzelheiten",
    ofServer:
      "Diese Seite fragt einen Server, und der öffnet nur Tabellen aus seinem eigenen Ordner: Lege die Datei dorthin (bouton-server --tables ORDNER). Auch die Seite ohne Server öffnet Tabellen.",
    tables: {
      "urn:bouton:not-a-table": (file) =>
        `${file} ist keine Tabelle von Bouton. Öffne eine Datei, die bouton generate erzeugt hat.`,
      "urn:bouton:newer-table": (file) =>
        `${file} ist eine Tabelle von einer Art, die diese Seite nicht kennt. Nimm eine neuere Version der Seite, oder erzeuge die Tabelle neu.`,
      "urn:bouton:damaged-table": (file) =>
        `${file} ist beschädigt: Der Inhalt passt nicht zu den Prüfsummen. Kopiere die Datei noch einmal, oder erzeuge die Tabelle neu.`,
    },
    file: (name) =>
      `${name} enthält keine Partie. Öffne eine Datei, die bouton-match oder diese Seite gespeichert hat.`,
  },

  problem: {
    "bad-position": ({ position, start, rows, stones, passes }) =>
      `„${position}“ ist keine Stellung dieses Spiels. ${rows ? `${rows.length === 1 ? "Es hat" : "Seine Reihen haben"} bis zu ${listed(rows, "und")} Hölzchen` : `Es hat bis zu ${number(stones ?? 0)} Steine`}${passes ? `, und man darf ${passes === 1 ? "einmal" : `${passes}-mal`} passen` : ""}; eine Stellung ist zum Beispiel ${start}.`,
    "bad-move": ({ moves }) => `Die Züge „${moves}“ sind von dieser Startstellung aus nicht möglich.`,
    "bad-rules": ({ table }) => `„${table}“ sind keine Regeln eines Spiels. Wähle ein Spiel oder gib eigene Regeln an.`,
    "too-much": () =>
      "Das ist zu viel, um es hier auszurechnen. Wähle weniger oder kürzere Reihen, weniger Steine oder eine spätere Stellung.",
    "no-such-table": ({ table }) => `Eine Tabelle „${table}“ gibt es hier nicht; wähle eine aus der Liste.`,
    "damaged-table": () => "Die Tabelle dieses Spiels ist beschädigt. Wähle ein anderes Spiel.",
    busy: () => "Der Server ist ausgelastet. Versuch es gleich noch einmal.",
  },

  gallery: {
    games: {
      "twenty-one": ["21 Hölzchen", "Nimm 1, 2 oder 3. Wer das letzte Hölzchen nimmt, verliert."],
      "own:bounds=21;take=3": [
        "21 Hölzchen: Das letzte gewinnt",
        "Nimm 1, 2 oder 3. Wer das letzte Hölzchen nimmt, gewinnt.",
      ],
      sticks: ["Wer das letzte nimmt, verliert", "Reihen mit 3, 5 und 7. Nimm beliebig viele aus einer Reihe."],
      marienbad: ["Marienbad", "Reihen mit 1, 3, 5 und 7, wie im Film. Wer das letzte Hölzchen nimmt, verliert."],
      "sticks-normal": [
        "Wer das letzte nimmt, gewinnt",
        "Noch einmal Reihen mit 3, 5 und 7, und jetzt gewinnt, wer das letzte Hölzchen nimmt.",
      ],
      nim: ["Nim", "Bis zu fünf Reihen mit bis zu 31 Hölzchen. Wer das letzte nimmt, gewinnt."],
      "nim-misere": [
        "Nim: Wer das letzte nimmt, verliert",
        "Bis zu fünf Reihen mit bis zu 31 Hölzchen, und wer das letzte nimmt, verliert.",
      ],
      wythoff: ["Die Dame in die Ecke", "Nimm aus einer Reihe, oder gleich viele aus beiden: das Spiel von Wythoff."],
      subtraction: ["Eins, drei oder vier", "Nimm 1, 3 oder 4 Hölzchen aus einer Reihe, keine andere Zahl."],
      moore: [
        "Aus zwei Reihen zugleich",
        "Nimm aus einer Reihe oder aus zweien, so viel du willst: das Spiel von Moore.",
      ],
      "nim-pass": [
        "Nim mit einmal Passen",
        "Einmal im Spiel darf jemand von euch gar nichts nehmen. Eine Formel dafür kennt niemand.",
      ],
      expanding: [
        "Wachsendes Nim",
        "Je mehr auf einmal genommen wurde, desto mehr darf man danach nehmen; Rücksetzungen bremsen das.",
      ],
      "expanding-misere": [
        "Wachsendes Nim: Wer den letzten nimmt, verliert",
        "Wie Wachsendes Nim, aber wer den letzten Stein nimmt, verliert.",
      ],
      "expanding-growth-2": ["Wachsendes Nim, schneller", "Die Grenze wächst um zwei statt um eins."],
      "expanding-resets-1": ["Wachsendes Nim, eine Rücksetzung", "Jede Seite hat nur eine Rücksetzung."],
    },
    variants: (n) => `${n} ${n === 1 ? "Variante" : "Varianten"}`,
    lessons: [
      "Gewinnen lernen",
      "Zehn kurze Schritte vom Spiegel bis zu Binärzahlen: Danach entgeht dir keine gewonnene Nim-Stellung mehr.",
    ],
    match: [
      "Spiel anderswo",
      "Du spielst Wachsendes Nim an einem anderen Brett? Tippe ein, was der Gegner nimmt, und du bekommst den besten Zug.",
    ],
    levels: { 1: "leicht", 2: "mittel", 3: "schwer" },
    formula: "Formel bekannt",
    noFormula: "keine Formel bekannt",
    opened: (name) => `Geöffnet: ${name}. Das Spiel steht in der Auswahl, bis die Seite geschlossen wird.`,
    digest: (digest) => `Prüfsumme ${digest}`,
    resume: (name) => `Weiter: ${name}`,
  },

  seat: {
    line: (opponent, side) => [opponent, side].filter(Boolean).join(" · "),
    sides: { 1: "du zuerst", 2: "du als Zweites" },
  },

  own: {
    title: "Eigene Regeln",
    bad: (label, typed, allowed) => `${label}: ${typed && `„${typed}“ geht nicht; `}erlaubt: ${allowed}.`,
    whole: (many, from, to) =>
      `${many === 1 ? "eine ganze Zahl" : `bis zu ${many} ganze Zahlen`} von ${number(from)} bis ${number(to)}`,
    takes: (most) =>
      `ganze Zahlen von 1 bis ${number(most)} oder Bereiche davon, zum Beispiel 1, 3, 4 oder 1-3; oder nichts, für beliebig viele`,
    fewer: "weniger Zahlen, oder alle ab 1, zum Beispiel 1-3",
    game: "Spiel",
    games: { heaps: "Reihen von Hölzchen", expanding: "ein Haufen, wie im Wachsenden Nim" },
    whoWins: "Wer zuletzt nimmt,",
    last: { normal: "gewinnt", misere: "verliert" },
    heaps: "Hölzchen in jeder Reihe",
    take: "Ein Zug nimmt (leer: beliebig viele; oder 1-3, oder 1, 3, 4)",
    passes: "Wie oft man passen darf",
    stones: "Steine",
    growth: "Die Grenze wächst um",
    resets: "Rücksetzungen jeder Seite",
    play: "Spielen",
  },

  challenge: {
    none: "Es wurde keine gewonnene Stellung gefunden. Versuch es noch einmal, oder mit einem anderen Spiel.",
    about:
      "Du bekommst gewonnene Stellungen aus diesem Spiel und suchst jedes Mal einen Gewinnzug. Wie viele schaffst du hintereinander?",
    begin: "Los geht’s",
    next: "Nächstes",
    task: "Diese Stellung ist gewonnen. Finde einen Zug, der gewinnt.",
    right: (streak) => `Richtig! ${streak === 1 ? "Ein Rätsel gelöst" : `${streak} hintereinander gelöst`}.`,
    help: (buttons) =>
      `Deine Serie endet, wenn du dir helfen lässt (${buttons.join(", ")}) oder eine Stellung überspringst.`,
    helpTaken: "Du hattest Hilfe: Diese Stellung zählt nicht, und die Serie beginnt von vorn.",
    helped: "Richtig, aber mit Hilfe.",
    wrong: "Damit ist der Sieg verschenkt.",
    better: (move) => `Gewonnen hätte: ${move}. Die Serie beginnt von vorn.`,
    best: (n) => `Deine längste Serie: ${n}.`,
  },

  learn: {
    step: (n, title, done) => `Schritt ${n}: ${title}${done ? ", geschafft" : ""}`,
    first: "Wer zuerst zieht",
    second: "Wer als Zweites zieht",
    right: "Richtig.",
    wrong: "Leider nein.",
    play: (position) => `Spiel ab ${position}: Du beginnst`,
    next: "Nächster Schritt",
    done: "Geschafft! Du hast gegen den perfekten Computer gewonnen.",
    allDone: "Geschafft, und damit auch der ganze Weg: Jetzt kannst du jede gewonnene Nim-Stellung gewinnen.",
    columns: "Die Reihen im Zweiersystem",
    parity: "Einsen",
    odd: "ungerade",
    even: "gerade",
    chapters: ["Erste Kniffe", "Binärzahlen", "Andere Spiele"],
    guess: "Wer kann den Sieg erzwingen?",
    steps: {
      mirror: {
        title: "der Spiegel",
        text: "Wer das letzte Hölzchen nimmt, gewinnt. Hier sind zwei Reihen mit je 4.",
        because:
          "Wer als Zweites zieht, nimmt in der anderen Reihe so viele, wie in der einen genommen wurden: Die Reihen sind wieder gleich, und am Ende sind beide leer.",
        task: "Mach nun zwei Reihen gleich, und mach dann alles nach, was der Computer tut.",
      },
      three: {
        title: "1, 2, 3",
        text: "Drei Reihen mit 1, 2 und 3; wer das letzte Hölzchen nimmt, gewinnt.",
        because:
          "Was auch immer zuerst genommen wird: Die Antwort kann zwei gleiche Reihen übrig lassen, notfalls indem sie die dritte ganz nimmt. 1, 2, 3 ist also verloren, wenn man ziehen muss.",
        task: "Lass dem Computer 1, 2, 3 übrig, und spiel von dort weiter.",
      },
      fours: {
        title: "Vielfache von vier",
        text: "Eine Reihe mit 8 Hölzchen. Ein Zug nimmt 1, 2 oder 3; wer das letzte Hölzchen nimmt, gewinnt.",
        because:
          "Was auch immer zuerst genommen wird: Die Antwort kann auf 4 ergänzen. Dann bleiben 4 übrig, und danach keines. Eine Reihe ist verloren, wenn ihre Anzahl durch 4 teilbar ist.",
        task: "Lass dem Computer jedes Mal ein Vielfaches von 4 übrig.",
      },
      last: {
        title: "21 Hölzchen",
        text: "Dieselben Züge, aber jetzt verliert, wer das letzte Hölzchen nimmt. Eine Reihe mit 9.",
        because:
          "Lass jetzt eins mehr als ein Vielfaches von 4 übrig: 1, 5, 9, 13, 17 oder 21. Wer von dort aus ziehen muss, bekommt am Ende das letzte Hölzchen.",
        task: "Hier sind noch 20 der 21 Hölzchen da. Lass eins mehr als ein Vielfaches von 4 übrig.",
      },
      binary: {
        title: "Einsen in Spalten",
        text: "Schreib jede Reihe im Zweiersystem, mit den Stellen 4, 2 und 1, und schau auf die Spalten. Hier ist 3 gleich 2 plus 1, 5 gleich 4 plus 1 und 6 gleich 4 plus 2.",
        because:
          "In jeder Spalte ist die Anzahl der Einsen gerade: Die Nim-Summe ist 0. Jeder Zug ändert eine Reihe und macht damit mindestens eine Spalte ungerade; und die Antwort kann alle Spalten wieder gerade machen.",
        task: "Finde die Reihe, die du so ändern kannst, dass jede Spalte gerade wird.",
      },
      odd: {
        title: "die ungerade Spalte",
        text: "Reihen mit 3, 5 und 7; wer das letzte Hölzchen nimmt, gewinnt.",
        because:
          "Die letzte Spalte hat drei Einsen: Sie ist ungerade. Such die ungerade Spalte, die am weitesten links steht, wähle eine Reihe, die dort eine Eins hat, und dreh ihre Ziffern in allen ungeraden Spalten um: So viele Hölzchen sollen bleiben.",
        task: "Mach es hier genauso.",
      },
      sum: {
        title: "die Nim-Summe",
        text: "Die Nim-Summe hat für jede ungerade Spalte eine 1 und für jede gerade eine 0. Reihen mit 1, 2, 4 und 6; wer das letzte Hölzchen nimmt, gewinnt.",
        because:
          "Nur die letzte Spalte ist ungerade: Die Nim-Summe ist 1, nicht 0. Bilde von jeder Reihe die Nim-Summe mit dieser 1: So viel müsste dort übrig bleiben. Das geht nur, wo die Reihe kürzer wird: Aus 1 wird 0, aber 2, 4 und 6 würden wachsen.",
        task: "Rechne zuerst die Nim-Summe aus. Nur eine Reihe kann damit kürzer werden.",
      },
      misere: {
        title: "wenn verliert, wer das letzte Hölzchen nimmt",
        text: "Jetzt verliert, wer das letzte Hölzchen nimmt: Das ist das Misère-Spiel. Drei Reihen mit je 1.",
        because:
          "Jeder Zug nimmt eine Reihe, und die dritte ist die letzte: Wer zuerst zieht, muss sie nehmen. Spiel Misère-Nim wie Nim, bis ein Zug nur Reihen mit einem Hölzchen übrig lässt; dann lass eine ungerade Anzahl davon übrig.",
        task: "Lass eine ungerade Anzahl von Reihen mit einem Hölzchen übrig.",
      },
      queen: {
        title: "die Dame",
        text: "Eine Dame zieht nach links, nach unten oder schräg, und wer sie in die Ecke bringt, gewinnt. Sie steht auf 1, 2.",
        because:
          "Von jedem Feld, das sie erreicht, führt der nächste Zug in die Ecke: 1, 2 ist verloren. Dann kommen 3, 5 und 4, 7: jedes Mal die kleinste Zahl, die noch fehlt, und ein Abstand, der um eins wächst.",
        task: "Zieh die Dame jedes Mal auf ein verlorenes Feld.",
      },
      table: {
        title: "keine Formel",
        text: "Wachsendes Nim: Ein Zug nimmt höchstens eins mehr, als bisher auf einmal genommen wurde, aber immer bis zu 3; wer den letzten Stein nimmt, gewinnt. 8 Steine sind übrig.",
        because:
          "Eine Formel dafür kennt niemand. Aber vom Ende her lässt sich jede Stellung ausrechnen und in eine Tabelle schreiben. Sie sagt: Auf jeden Zug von 8 aus gibt es eine Antwort, die gewinnt.",
        task: "Hier sind 10 Steine. Drück „Zeig’s mir“, und spiel nach der Tabelle.",
      },
    },
  },

  assignment: {
    goals: {
      "win-1": "Gewinne einmal",
      "win-3": "Gewinne 3 Partien",
      "win-5": "Gewinne 5 Partien",
      find: "Finde den Gewinnzug",
    },
    progress: (n, of) => `${n} von ${of}`,
    reached: "Ziel erreicht.",
    name: "Dein Name, wenn du magst",
    copy: "Ergebnis kopieren",
    copied: "Ergebnis kopiert.",
    games: (won, games) => `${won} von ${count(games, "Partie", "Partien")} gewonnen`,
    tries: (n) => `beim ${n}. Versuch gefunden`,
    noHints: "ohne Hilfe",
    make: "Als Aufgabe",
    about: "Sie beginnt mit der Stellung auf dem Brett. Wer sie öffnet, spielt die Seite, die gewinnen kann.",
    goal: "Ziel",
    hints: "Hilfe erlaubt",
    link: "Adresse der Aufgabe kopieren",
  },

  transcript: {
    player: (who) => NAMES[who],
    game: (n, players) => `Partie ${n}: ${players}`,
  },

  share: {
    scan: "Für die Klasse: Scannt den Code, oder tippt die Adresse ein.",
    code: (address) => `QR-Code von ${address}`,
  },

  sheet: {
    named: ["Name:", "Datum:"],
    moves: "Aus jeder dieser Stellungen kann gewinnen, wer am Zug ist. Finde einen Gewinnzug.",
    move: "Gewinnzug:",
    table: "Beginne mit den kleinsten Zahlen. Male jedes Feld aus, von dem aus verliert, wer ziehen muss.",
    fixed: (position) => `Alles andere ist wie in ${position}.`,
    notice: "Was fällt dir auf?",
    solutions: (name) => `Lösungen: ${name}`,
    solution: ({ outcome, winning, moves }) => {
      if (outcome === "loss") return "Wer als Zweites zieht, gewinnt: Jeder Zug führt in eine Gewinnstellung.";
      const said = moves.filter(({ move }) => winning.includes(move)).map(({ takes, reset }) => take(takes, reset));
      return `Wer zuerst zieht, gewinnt: ${said.slice(0, 5).join("; oder ")}${said.length > 5 ? "; und andere Züge" : ""}.`;
    },
    lost: (name) => `Verluststellungen: ${name}`,
    lostFrom: (position, n) =>
      n === 1
        ? `Wer in dieser einen Stellung ziehen muss, verliert gegen perfektes Spiel. Eine andere Verluststellung kann aus ${position} nicht entstehen; Reihen in anderer Reihenfolge stehen nicht noch einmal da.`
        : `Wer in einer dieser ${number(n)} Stellungen ziehen muss, verliert gegen perfektes Spiel. Es sind alle Verluststellungen, die aus ${position} entstehen können; Reihen in anderer Reihenfolge stehen nicht noch einmal da.`,
    lostPlane: (position, axes, n) =>
      `Rund um ${position} ${n === 1 ? "ist diese eine Stellung" : `sind diese ${number(n)} Stellungen`} verloren, wenn man ziehen muss (${axes}); alles andere ist wie in ${position}.`,
  },

  terms: {
    züge: MOVES,
    zügen: MOVES,
    "misère-spiel": MISERE,
    "misère-nim": MISERE,
    normalspiel: "Im Normalspiel gewinnt, wer das letzte Hölzchen nimmt.",
    "nim-summe":
      "Die Nim-Summe: Schreib die Reihen im Zweiersystem untereinander. Wo eine Spalte eine ungerade Anzahl von Einsen hat, hat die Nim-Summe eine 1, sonst eine 0.",
  },
};
