// The page's words in Spanish.

/** @typedef {import("./en.js").Who} Who */
/** @typedef {import("./en.js").Takes} Takes */
/** @typedef {import("./en.js").Game} Game */
/** @typedef {import("./en.js").Position} Position */

/** Avoids toLocaleString, whose first call is slow, where there is no separator. @param {number} n */
const number = (n) => (Number.isInteger(n) && n < 1000 ? String(n) : n.toLocaleString("es"));
const count = (/** @type {number} */ n, /** @type {string} */ one, many = `${one}s`) =>
  `${number(n)} ${n === 1 ? one : many}`;
const plies = (/** @type {number} */ n) => count(n, "jugada");
/** Returns all items of a list except the last; of a long list, the first eight. */
const before = (/** @type {(string | number)[]} */ all) =>
  (all.length > 16 ? [...all.slice(0, 8), "…"] : all.slice(0, -1)).join(", ");
const joined = (/** @type {(string | number)[]} */ all, /** @type {string} */ last) =>
  all.length < 2 ? all.join("") : `${before(all)} ${last} ${all[all.length - 1]}`;
const and = (/** @type {(string | number)[]} */ all) => joined(all, "y");
/** Before "ocho" and "once", "o" is "u". */
const or = (/** @type {(string | number)[]} */ all) =>
  joined(all, /^(8|11$|11\D)/.test(String(all[all.length - 1])) ? "u" : "o");
const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
const small = (/** @type {string} */ text) => text.charAt(0).toLowerCase() + text.slice(1);
const soon = (/** @type {number | undefined} */ depth) => (depth === undefined ? "" : ` en ${plies(depth)}`);
const last = (/** @type {Game} */ { game }) => (game === "heaps" ? "el último palillo" : "la última piedra");

/** @type {Record<Who, string>} */
const NAMES = {
  you: "tú",
  table: "el ordenador",
  opponent: "el rival",
  first: "el primer jugador",
  second: "el segundo jugador",
};
const name = (/** @type {Who} */ who) => capital(NAMES[who]);
/** The names of players after "a" and after "de". */
const to = (/** @type {Who} */ who) => (who === "you" ? "a ti" : `a ${NAMES[who]}`.replace("a el ", "al "));
const of = (/** @type {Who} */ who) => `de ${NAMES[who]}`.replace("de el ", "del ");

/** Returns a verb with its subject; "you" is part of the verb. */
const does = (/** @type {Who} */ who, /** @type {string} */ yours, /** @type {string} */ theirs) =>
  who === "you" ? yours : `${NAMES[who]} ${theirs}`;

/** Returns the stones of a move, without a verb. @param {Takes} takes */
const taken = (takes) =>
  and(takes.map(({ row, stones }) => (row === null ? number(stones) : `${number(stones)} de la fila ${number(row)}`)));

/** Returns a move as an instruction. @param {Takes} takes @param {boolean} reset */
const take = (takes, reset) =>
  takes.length === 0 ? "pasar" : `quitar ${taken(takes)}${reset ? " e imponer un recorte" : ""}`;

/** Returns a move that a player made. @param {Who} who @param {Takes} takes @param {boolean} reset */
function took(who, takes, reset) {
  if (takes.length === 0) return does(who, "pasas", "pasa");
  const imposes = reset ? ` e ${who === "you" ? "impones" : "impone"} un recorte` : "";
  return `${does(who, "quitas", "quita")} ${taken(takes)}${imposes}`;
}

/** Returns a move in few words, for tables and lists. @param {Takes} takes @param {boolean} reset */
const briefMove = (takes, reset) =>
  takes.length === 0 ? "pasar" : `${taken(takes).replace(/fila (?=\d)/g, "fila\u00a0")}${reset ? " con recorte" : ""}`;

/** Returns a position in words. @param {Position} position @param {boolean} [brief] in few words, for tables */
function position({ pile, heaps = [], passes }, brief = false) {
  if (pile) {
    const stones = brief ? number(pile.stones) : count(pile.stones, "piedra");
    const left = `${pile.stones === 1 ? "queda" : "quedan"} ${stones}`;
    return pile.stones === 0 ? "nada" : `${left}, límite ${number(pile.limit)}`;
  }
  const rows =
    heaps.length === 1 ? count(heaps[0], "palillo") : heaps.join(brief && heaps.join("").length < 4 ? ",\u00a0" : ", ");
  const left = passes === undefined ? "" : `; ${passes === 0 ? "sin pases" : count(passes, "pase")}`;
  return heaps.some((heap) => heap > 0) ? rows + left : "nada";
}

/** @param {number[]} counts */
const exactly = (counts) => (counts.length === 1 ? `exactamente ${counts[0]}` : or(counts));

/** @param {any} rules */
function mayTakeOfHeaps(rules) {
  const several = rules["heaps-per-move"] ?? 1;
  const sticks = (/** @type {number} */ n) => (n === 1 ? "palillo" : "palillos");
  const amount =
    rules.take === "any"
      ? "uno o más palillos"
      : typeof rules.take === "number"
        ? `${rules.take === 1 ? "" : "de 1 a "}${count(rules.take, "palillo")}`
        : `${or(rules.take)} ${sticks(rules.take[rules.take.length - 1])}`;
  const rows =
    several === 1
      ? "de una sola fila"
      : Array.isArray(several)
        ? `de cada una de ${exactly(several)} filas${rules["equal-take"] ? ", la misma cantidad de cada una" : ""}`
        : rules["equal-take"]
          ? `de una fila, o la misma cantidad de ${several === 2 ? "dos" : `hasta ${several}`} filas`
          : `de cada una de las filas que elijas (${several} filas como máximo)`;
  const pass = !rules.passes
    ? ""
    : rules.passes === 1
      ? " Hay un pase, que cualquiera de los dos puede usar mientras quede alguna jugada posible."
      : ` Hay ${rules.passes} pases para los dos en común, que se pueden usar mientras quede alguna jugada posible.`;
  return `En cada jugada puedes quitar ${amount} ${rows}.${pass}`;
}

/** @param {any} rules */
function mayTakeOfPile(rules) {
  const [first, second] = rules.resets;
  const reset = ` Con una jugada puedes imponer un recorte: entonces el rival puede quitar ${rules["reset-limit"]} como máximo.`;
  const resets =
    first + second === 0
      ? ""
      : first === second
        ? ` Cada jugador tiene ${count(first, "recorte")}.${reset}`
        : ` El primer jugador tiene ${count(first, "recorte")}; el segundo, ${second}.${reset}`;
  const limit = `${rules.growth === 0 ? "" : `${rules.growth} más que `}lo máximo que se ha quitado de una vez`;
  return `En cada jugada puedes quitar piedras hasta un límite: ${limit}, y nunca menos de ${rules["base-limit"]}.${resets}`;
}

/** Returns the amounts that a move may take. */
const mayTake = (/** @type {Game} */ table) =>
  table.game === "heaps" ? mayTakeOfHeaps(table.rules) : mayTakeOfPile(table.rules);

const lastOne = (/** @type {Game} */ table) =>
  `${table.rules.play === "misere" ? "Pierde" : "Gana"} quien se lleva ${last(table)}.`;

/** Theorems, by their keys. @type {Record<string, (block: any) => string>} */
const THEOREMS = {
  nim: () =>
    "una posición es perdedora si su suma nim es 0, es decir, si al escribir las filas en binario cada columna tiene un número par de unos.",
  "misere-nim": () =>
    "mientras alguna fila tenga dos palillos o más, una posición es perdedora si su suma nim es 0, como en el juego normal. Cuando ninguna fila tiene más de un palillo, cada jugada se lleva una entera: entonces una posición es perdedora si queda un número impar de filas.",
  bachet: ({ modulus, values, more }) =>
    `una posición es perdedora si ${values[0] === 0 ? `${modulus} divide el número de palillos` : `al dividir el número de palillos entre ${modulus} sobra 1`}: ${values.join(", ")}${more ? "…" : ""}. Quite lo que quite una jugada, la respuesta puede quitar lo que falta hasta ${modulus}.`,
  grundy: ({ values, more }) =>
    `el valor de una fila es el menor número que no es el valor de ninguna fila en la que una jugada la pueda convertir. Una posición es perdedora si la suma nim de los valores es 0, es decir, si cada columna tiene un número par de unos. Los valores de las filas de 0, 1, 2… palillos: ${values.join(", ")}${more ? "…" : ""}`,
  moore: ({ modulus }) =>
    `si en cada jugada se puede quitar de hasta ${modulus - 1} filas, una posición es perdedora cuando, al escribir las filas en binario, el número de unos de cada columna es múltiplo de ${modulus}.`,
  wythoff: ({ values, more }) =>
    `las parejas perdedoras son (0,0) y después, cada vez, el menor número que no está en ninguna pareja anterior y, para la otra fila, ese mismo número más el número de orden de la pareja: ${pairs(values).join(" ")}${more ? "…" : ""}`,
};

/** Returns a list of numbers as pairs. */
const pairs = (/** @type {number[]} */ values) =>
  values.flatMap((a, n) => (n % 2 === 0 ? [`(${a},${values[n + 1]})`] : []));

const NO_MOVE_KEEPS_IT =
  "una jugada cambia una sola fila, y cada columna en la que cambia su número pasa a tener un número impar de unos.";

const noMoveKeepsMultiples = (/** @type {number} */ modulus) =>
  `ninguna jugada los mantiene así: de las columnas que cambia una jugada, en la de más a la izquierda quita entre 1 y ${modulus - 1} unos.`;

/** Returns for example "Quita 2 de la fila 1 (de 7 a 5)". @param {any} block */
const deed = ({ move, makes }) =>
  `Quita ${taken(move.takes)} (${and(makes.map((/** @type {any} */ { from, to }) => `de ${from} a ${to}`))})`;

/** Returns an example of a move and the answer to it; "" if there is none. @param {any} block @param {any} why */
const example = ({ move, answer }, { who }) =>
  answer
    ? ` Por ejemplo, si ${took(who, move.takes, move.reset)}, la respuesta es ${take(answer.takes, answer.reset)}.`
    : "";

const ofOne = (/** @type {number} */ heaps) => `${count(heaps, "fila")} de un palillo`;

/** Sentences of an argument, by their keys. @type {Record<string, (block: any, why: any) => string>} */
const SENTENCES = {
  "no-theorem": () =>
    "Bouton no conoce ningún teorema que decida estas reglas; este es el razonamiento de la propia tabla.",
  "too-large": () =>
    "Estas filas son demasiado largas para calcular aquí lo que el teorema del juego dice de ellas; este es el razonamiento de la propia tabla.",
  contradicted: () =>
    "El teorema que decide este juego contradice a la tabla: no te fíes de ella y compruébala con «bouton verify». El razonamiento de la propia tabla:",
  "sum-is-zero": (block, why) => {
    const misere = why.blocks.some((/** @type {any} */ { key }) => key === "misere-nim");
    const end = misere ? ", o deja un número impar de filas de un palillo y ninguna otra" : "";
    return `La suma nim es 0, y ninguna jugada la mantiene en 0: ${NO_MOVE_KEEPS_IT} La respuesta del rival hace que todas las columnas vuelvan a ser pares${end}.${example(block, why)}`;
  },
  "makes-sum-zero": (block, why) => {
    const [from, to, sum] = block.numbers;
    const values = why.blocks.some((/** @type {any} */ { key }) => key === "grundy");
    return `Tienen que cambiar las columnas con un 1 en la suma nim, y en una sola fila. ${deed(block)}: la suma nim de ${values ? "los valores " : ""}${from} y ${sum} es ${to}, y la de ${values ? "todos los valores" : "todas las filas"} pasa a ser 0.`;
  },
  "sum-stays-not": () => `Desde ahí, ninguna jugada mantiene la suma en 0: ${NO_MOVE_KEEPS_IT}`,
  ones: ({ numbers: [heaps] }) => {
    const [parity, who] = heaps % 2 === 0 ? ["par", "el rival"] : ["impar", "quien mueve"];
    return `La posición tiene ${ofOne(heaps)}: es un número ${parity}, así que ${who} tiene que llevarse el último.`;
  },
  "leaves-ones": (block) => {
    const [heaps] = block.numbers;
    return `Aquí el juego misère se aparta del juego normal, porque la jugada no deja ninguna fila de dos palillos o más. ${deed(block)}, y ${heaps === 1 ? "queda" : "quedan"} ${ofOne(heaps)}: un número impar, así que el rival tiene que llevarse el último. En el juego normal se dejaría un número par.`;
  },
  rest: (block, why) => {
    const [heap, modulus, rest] = block.numbers;
    const moved = block.makes?.length > 0;
    const divided = rest === 0 ? `${modulus} divide a ${heap}.` : `Al dividir ${heap} entre ${modulus} sobra ${rest}.`;
    const last = rest === 0 ? "" : ` ${moved ? "El rival" : "Quien mueve"} tiene que llevarse el último.`;
    const then = moved
      ? ` Quite lo que quite después el rival, quita lo que falte hasta ${modulus}, y sigue siendo así.`
      : ` Quite lo que quite quien mueve, el rival puede quitar lo que falte hasta ${modulus}, y sigue siendo así.${example(block, why)}`;
    return `${moved ? `${deed(block)}: ` : ""}${divided}${heap === rest ? last : then}`;
  },
  "all-multiples": (block, why) =>
    `Todos son múltiplos de ${block.numbers[0]}, y ${noMoveKeepsMultiples(block.numbers[0])}${example(block, why)}`,
  "makes-multiples": (block) =>
    `${deed(block)}, y el número de unos de cada columna pasa a ser múltiplo de ${block.numbers[0]}:`,
  "multiples-stay-not": ({ numbers: [modulus] }) => `Desde ahí, ${noMoveKeepsMultiples(modulus)}`,
  "lost-pair": (block) => {
    const [n, a, b] = block.numbers;
    const here = block.move ? `${deed(block)}: esta es` : "Esta es";
    return `${here} (${a},${b}), la pareja número ${n}. Ninguna jugada lleva de una pareja perdedora a otra, porque no hay dos que tengan un número en común ni dos con la misma diferencia.`;
  },
};

/** Returns the conclusion from the replies, if they are the argument. */
function replies(/** @type {any} */ why) {
  const over = why.replies.length === 0;
  const answered = "una respuesta que lleva de nuevo a una posición perdedora";
  if (why.best !== null)
    return `La mejor jugada es ${take(why.best.takes, why.best.reset)}. La posición que queda (${position(why.of)}) es perdedora para el rival: ${over ? "ahí no queda ninguna jugada" : `cada jugada suya tiene ${answered}`}.`;
  if (over)
    return `No queda ninguna jugada y, según las reglas, quien mueve ${why.outcome === "win" ? "gana" : "pierde"}.`;
  return why.replies.some((/** @type {any} */ { answer }) => answer === null)
    ? `Cada jugada termina la partida o tiene ${answered}:`
    : `Cada jugada tiene ${answered}:`;
}

/** The names of axes, as the server has them. @type {Record<string, string>} */
const AXES = {
  "stones left": "piedras que quedan",
  "currentmax: most taken at once": "máximo quitado",
};

/** @type {import("../language.js").Texts} */
export const texts = {
  code: "es",
  html: {
    more: "Más",
    less: "Menos",
    "more-tools": "Más…",
    another: "Otro juego",
    rules: "Todas las posiciones, resueltas: juega y mira por qué.",
    "@page": "Página",
    games: "Juegos",
    learn: "Aprender",
    present: "Proyectar",
    "present-end": "Dejar de proyectar",
    guide: "Ayuda",
    "guide-about": "Bouton ha resuelto estos juegos por completo: de cada posición sabe quién gana y cómo.",
    "@language": "Idioma",
    "@solving": "Se está resolviendo el juego",
    choose: "Elige un juego",
    own: "Tus propias reglas",
    "@board": "Tablero",
    settings: "Ajustes",
    "@settings": "Ajustes",
    game: "Juego",
    start: "Inicio",
    restart: "Reiniciar",
    opponent: "Rival",
    perfect: "ordenador perfecto",
    medium: "ordenador, nivel medio",
    easy: "ordenador, nivel fácil",
    friend: "alguien a tu lado",
    nobody: "nadie: mira jugar al ordenador",
    elsewhere: "en otro sitio",
    side: "Empieza",
    first: "tú",
    second: "el ordenador",
    loading: "Cargando…",
    again: "Otra partida",
    pass: "Pasar",
    reset: "Con recorte",
    undo: "Deshacer",
    redo: "Rehacer",
    "@tools": "Herramientas",
    "@tools-play": "Jugar",
    "@tools-understand": "Entender",
    "@tools-explore": "Explorar",
    "@tools-share": "Compartir",
    hint: "Pista",
    show: "Muéstrame",
    why: "¿Por qué?",
    history: "Historial",
    map: "Mapa",
    variants: "Variantes",
    challenge: "Reto",
    share: "Compartir",
    print: "Imprimir",
    keys: "Teclas",
    "@address": "Para copiar",
    "learn-title": "Aprender",
    "challenge-title": "Reto",
    "why-title": "¿Por qué?",
    "history-title": "Historial",
    save: "Guardar la partida",
    "open-file": "Abrir un archivo: partida o tabla",
    table: "Tabla",
    open: "Abrir una partida",
    "@recorded": "Partida del archivo",
    "map-title": "Mapa",
    "@colours": "Colores",
    "variants-title": "Variantes",
    other: "Otras reglas",
    whole: "Abrir la página completa",
    printing: "Imprimir",
    "sheet-about": "Cada ficha lleva sus soluciones en una segunda página.",
    "sheet-moves": "Ficha: encontrar la jugada ganadora",
    "sheet-outcomes": "Ficha: ¿quién puede ganar?",
    "sheet-table": "Ficha: rellenar la tabla",
    "lost-table": "Lista: las posiciones perdedoras",
    close: "Cerrar",
    "keys-title": "Teclas",
    key: "tecla",
    does: "qué hace",
    "key-choose": "una jugada atrás, adelante; en el tablero: elegir uno más, uno menos",
    "key-row": "ir al tablero y, allí, a otra fila",
    "key-all": "al principio, al final de la partida; en el tablero: elegir todos, solo uno",
    "key-digits": "lo que quita el rival, en una partida en otro sitio",
    "key-take": "quitar los palillos elegidos",
    "key-reset": "imponer un recorte, en el Nim creciente",
    "key-undo": "deshacer, rehacer",
    "key-restart": "reiniciar la partida",
    "key-pause": "parar el ordenador o dejarlo seguir",
    "key-show": "mostrar qué jugadas ganan y cuáles pierden",
    "key-panels": "por qué, historial, mapa, variantes, reto, tabla",
    "key-page": "juegos, aprender, ayuda, proyectar",
    "key-hint": "una pista: dónde, pero no qué",
    "key-help": "mostrar esta lista",
    shortcuts: "Las letras y ? funcionan como teclas",
  },

  number,
  capital,
  take,
  briefMove,
  position,

  status: {
    loading: "Cargando…",
    nothing: "Todavía no hay nada que jugar.",
    waiting: "Esperando la respuesta…",
    turn: (who) => (who === "you" ? "Te toca." : `Le toca ${to(who)}.`),
    waits: (who) =>
      who === "you" ? "Elige tu jugada o pulsa «Seguir»." : `Le toca ${to(who)}. Pulsa «Seguir» para que juegue.`,
    won: (who) => `La partida ha terminado. ${who === "you" ? "Ganas" : "Gana"} ${NAMES[who]}.`,
    empty: "No queda ninguna jugada. No hay nada que jugar.",
    deed: (who, takes, reset) => capital(took(who, takes, reset)),
    start: "De vuelta al principio.",
    at: (at, of) => `Jugada ${number(at)} de ${number(of)}.`,
    undone: {
      move: "",
      begin: "Ha vuelto la partida de antes.",
      seat: "Juegan los mismos que antes.",
      go: "",
      walk: "",
      line: "Ha vuelto la línea de antes.",
    },
    copied: "Dirección copiada.",
    copy: "Cópialo del campo de abajo.",
    copiedFile: "Abre este archivo donde está; en otra copia, pégala en «Inicio».",
    exported: "La partida está guardada.",
  },

  play: {
    take: "Quitar…",
    illegal: "Esa jugada no está permitida aquí.",
    how: (pile, several) =>
      pile
        ? "Elige una piedra: te llevas esa y todas las que tiene a su derecha."
        : `Elige un palillo: te llevas ese y los que tiene a su derecha.${several ? " También puedes elegir en otras filas." : ""}`,
    howQueen:
      "Elige una casilla: la dama va a la izquierda (fila 1), hacia abajo (fila 2) o en diagonal (lo mismo de las dos).",
    pause: "Pausa",
    go: "Seguir",
    passesLeft: (n) => (n === 0 ? "No quedan pases" : `${n === 1 ? "Queda" : "Quedan"} ${count(n, "pase")}`),
    thrown: (who, ply) => `${capital(does(who, "dejaste", "dejó"))} escapar la victoria en la jugada ${number(ply)}.`,
    noneThrown: "Nadie dejó escapar la victoria: la partida estaba ganada desde el principio.",
    look: "Verlo",
  },

  guide: {
    choose: "Elige un juego; debajo de su nombre dice qué se puede quitar.",
    take: "Después pulsa «Quitar». Todo se puede deshacer, también una partida nueva.",
    buttons: {
      hint: "dice dónde mirar, no qué hacer.",
      show: "marca las jugadas que ganan y las que pierden.",
      why: "da el argumento: el teorema, si se conoce, y una respuesta a cada jugada.",
      history: "muestra jugada a jugada quién ganaría y dónde se dejó escapar una victoria; guarda y abre partidas.",
      map: "muestra todas las posiciones de alrededor, ganadoras y perdedoras.",
      variants: "compara con la misma posición bajo otras reglas.",
      challenge: "pide jugadas ganadoras, una tras otra.",
      table: "dice el tamaño de la tabla y cómo citarla, y responde a muchas posiciones a la vez.",
      learn: "enseña a ganar, en diez pasos.",
      settings:
        "para elegir la posición inicial, el rival y quién empieza; si juegas en otro sitio, el ordenador te aconseja.",
      present: "llena la pantalla de un proyector; Esc lo termina.",
      share: "copia una dirección que abre exactamente esta partida, o la pone como tarea.",
      print: "hace una hoja de ejercicios o una lista de posiciones perdedoras.",
    },
  },

  board: {
    heaps: "Palillos",
    pile: "Piedras",
    chessboard: "Tablero de ajedrez, la esquina es 0,0",
    queen: (at) => `Dama en ${at}`,
    square: (at, take) => `a ${at}: ${take}`,
    row: (n) => `Fila ${n}`,
    aRow: (n) => `la fila ${n}`,
    thePile: "Pila",
    aPile: "la pila",
    holds: (name, n, pile) => `${name}: ${count(n, pile ? "piedra" : "palillo")}`,
    outOfReach: (n) => `${count(n, "piedra")} fuera de alcance`,
    stick: (name, pile, n, of, taken) => {
      const [one, many] = pile ? ["la última", "las"] : ["el último", "los"];
      const chosen = taken === 1 ? one : `${many} ${taken}${taken === of ? "" : pile ? " últimas" : " últimos"}`;
      return `${name}, ${pile ? "piedra" : "palillo"} ${n} de ${of}: elegir ${chosen}`;
    },
    howMany: (name) => `Cantidad que quitar de ${name}`,
    bar: (name) => `Cantidad que quitar de ${name}, en una barra`,
    fewer: (name) => `${name === "la pila" ? "Una" : "Uno"} menos de ${name}`,
    more: (name) => `${name === "la pila" ? "Una" : "Uno"} más de ${name}`,
    left: "piedras",
    limit: "límite",
    bound: "un recorte vale en este turno",
    most: "máximo quitado",
    resets: (who) => (who === "you" ? "tus recortes" : `recortes ${of(who)}`),
    resetsLeft: (left, of) => `${left === 1 ? "queda" : "quedan"} ${left} de ${of}`,
    none: "ninguno",
    taken: "Quitado",
    taker: (who) => capital(NAMES[who].replace("el ", "")),
    withLast: (pile) => (pile ? "con la última piedra" : "con el último palillo"),
  },

  match: {
    ask: (who) => (who === "you" ? "¿Cuántas quitas?" : "¿Cuántas quita el rival?"),
    other: "¿Quitaste otra cosa?",
    resets: (yours, theirs) => `recortes: tú ${yours}, rival ${theirs}`,
    erase: "Borrar la última cifra",
  },

  rules: {
    all: (table) => `${lastOne(table)} ${mayTake(table)}`,
    mayTake,
  },

  verdict: {
    short: (outcome, depth) => `${outcome === "win" ? "gana" : "pierde"}${soon(depth)}`,
    toMove: (outcome, depth) => `Quien mueve ${outcome === "win" ? "gana" : "pierde"}${soon(depth)}.`,
    wins: (who, depth) => `${capital(does(who, "ganas", "gana"))}${soon(depth)}`,
    move: (outcome, reset) => `${reset ? "con un recorte " : ""}${outcome === "win" ? "gana" : "pierde"}`,
    left: (n) => `${plies(n)} más después`,
    leftOf: (n) => `${n === 1 ? "jugada" : "jugadas"} más después`,
  },

  show: {
    over: "No queda ninguna jugada.",
    win: (who, depth, winning, all) =>
      `${capital(does(who, "puedes", "puede"))} ganar desde aquí${soon(depth)}: ${winning === 1 ? "solo gana una jugada" : `ganan ${number(winning)} de las ${number(all)} jugadas`}.`,
    loss: (who, depth) =>
      `${capital(does(who, "pierdes", "pierde"))} desde aquí${soon(depth)} si el rival no se equivoca: ninguna jugada gana.`,
    thisWins: "esta jugada gana",
    thisLoses: "esta jugada pierde",
    number: "número: jugadas que quedan después",
    reset: "r: con un recorte",
    moves: "Jugadas posibles",
    more: (n) => `Mostrar ${number(n)} más`,
  },

  hint: {
    lost: "Aquí ninguna jugada gana. Quita poco, para durar más.",
    row: (rows) => `Fíjate en la fila ${or(rows)}.`,
    rows: (rows) => `Fíjate en las filas ${and(rows)} a la vez.`,
    pass: "¿Y si no quitaras nada?",
    reset: "Piensa en un recorte.",
    few: "Basta con pocas piedras.",
    many: "Quita muchas piedras.",
    over: "No queda ninguna jugada.",
  },

  why: {
    theorem: ({ key, name }) =>
      `${/** @type {Record<string, string>} */ ({ "misere-nim": "Bouton (1901), juego misère", grundy: "Sprague y Grundy" })[key] ?? name}: `,
    argument: "El razonamiento en palabras",
    replies: "Jugadas y respuestas",
    each: "Cada jugada desde aquí y su respuesta",
    after: (who, takes, reset) => `Si ${took(who, takes, reset)}: cada jugada del rival y su respuesta`,
    heads: ["jugada", "lleva a", "respuesta", "lleva a"],
    none: "ninguna: no quedan jugadas",
    more: (n) => `y ${count(n, "jugada")} más`,
    row: "fila",
    heap: "palillos",
    value: "valor",
    sum: "suma nim",
    ones: (modulus) => `unos mód. ${modulus}`,
    odd: "impar",
    now: "Ahora",
    move: (who, takes, reset, which) =>
      `Si ${took(who, takes, reset)}: ${{ chosen: "la jugada elegida", best: "la mejor jugada", try: "el mejor intento" }[which]}`,
    even: "Entonces todas las columnas son pares: la suma nim es 0.",
    oddOnes: (sum) => `Entonces las columnas marcadas con ▲ son impares: la suma nim es ${sum}.`,
    block: (block, why) => {
      if (block.kind === "replies") return replies(why);
      const said = block.kind === "theorem" ? THEOREMS : SENTENCES;
      return Object.hasOwn(said, block.key) ? said[block.key](block, why) : (block.statement ?? block.text);
    },
  },

  history: {
    curve: "La curva",
    byPly: "Curva, jugada a jugada",
    ply: (n) => `jugada ${n}`,
    depth: "duración: jugadas hasta el final",
    whoWins: "quién gana",
    wins: (who) => capital(does(who, "ganas", "gana")),
    point: (at, position, wins, mistake) =>
      `Jugada ${at} (${position}): ${small(wins)}${mistake ? "; se dejó escapar una victoria" : ""}`,
    noMove: "Todavía no se ha hecho ninguna jugada.",
    choose: "Elige un punto para volver a él; «Rehacer» avanza de nuevo. Las flechas del teclado recorren la curva.",
    noneThrown: "Ninguna jugada ha dejado escapar una victoria.",
    thrown: (ply, who, takes, reset) =>
      `Jugada ${ply}: ${took(who, takes, reset)}, con lo que ${who === "you" ? "dejas" : "deja"} escapar la victoria.`,
    better: (move) => `La mejor jugada era ${move}.`,
    moves: "Jugadas",
    heads: ["n.º", "quién", "jugada", "posición"],
    by: name,
    mistake: "se escapó la victoria",
    variations: "Otras líneas de esta partida",
    variation: (from, moves) => `desde la jugada ${from}: ${moves}`,
  },

  map: {
    won: "gana quien mueve",
    lost: "pierde",
    here: "aquí",
    stronger: "color más fuerte: más lejos del final",
    strongerValue: "color más intenso: valor mayor",
    plane: "El plano",
    axis: (name) => AXES[name] ?? name.replace(/^stones in row (\d+)$/, "palillos en la fila $1"),
    none: (place) => `${place}: no hay posición`,
    cell: (place, win, depth) =>
      `${place}: ${win ? "gana" : "pierde"} quien mueve${depth === undefined ? "" : `, ${plies(depth)}`}`,
    at: (cell) => `Aquí: ${cell}.`,
    summary: (across, up, lost, known) =>
      `${across}${up && ` frente a ${up}`}: en ${number(lost)} de ${number(known)} posiciones pierde quien mueve.`,
    range: (name, from, to) => `${name} de ${from} a ${to}`,
    byOutcome: "ganadas y perdidas",
    byDepth: "por duración",
    byValue: "por valor (nim-suma)",
    against: (name) => `comparadas con ${name}`,
    differs: (name) => `otro resultado en ${name}`,
    controls: "Zoom y desplazamiento",
    does: {
      "-": "Reducir",
      "+": "Ampliar",
      ArrowLeft: "A la izquierda",
      ArrowRight: "A la derecha",
      ArrowDown: "Hacia abajo",
      ArrowUp: "Hacia arriba",
      Home: "Volver a la posición",
    },
    csv: "Guardar como CSV",
    svg: "Guardar como SVG",
    every: (position) => `Todas las posiciones desde ${position}`,
    label: (pile) =>
      !pile?.stones
        ? ["nada"]
        : [`límite ${pile.limit}`, `recortes ${pile.resets.join(", ")}`, ...(pile.imposed ? ["límite recortado"] : [])],
    resets: "recortes: primero los de quien mueve",
    everyPosition: "Todas las posiciones",
    winningMove: "jugada ganadora",
    played: "camino jugado",
    whole: (position, all, lost, moves, played) =>
      `Las ${number(all)} posiciones desde ${position}, con ${number(moves)} jugadas; en ${number(lost)} pierde quien mueve. Camino jugado: ${played}.`,
  },

  variants: {
    none: "No hay ninguna otra tabla de esta familia de juegos.",
    differs: "El veredicto sobre esta posición cambia.",
    same: "El veredicto sobre esta posición es el mismo en todo.",
    sameOutcome: (differing) =>
      `Gana el mismo jugador. Lo que cambia: ${and(differing.map((key) => /** @type {Record<string, string>} */ ({ depth: "en cuántas jugadas", best: "la mejor jugada", winning: "las jugadas ganadoras" })[key] ?? key))}.`,
    go: "Seguir con las otras reglas",
    best: (move) => `Mejor jugada: ${move}`,
    bestTry: (move) => `Ninguna jugada gana; el mejor intento: ${move}`,
    win: (n) => `Ganan ${number(n)} jugadas.`,
    notCovered: "La tabla de las otras reglas no abarca esta posición.",
    notAllowed: "no permitida",
    differ: "cambia",
    moves: (differing, single) =>
      `${differing === 0 ? "Ninguna jugada cambia" : count(differing, "jugada cambia", "jugadas cambian")} de resultado${single === 0 ? "." : `; ${number(single)} solo ${single === 1 ? "está permitida" : "están permitidas"} en uno de los dos juegos.`}`,
    both: "Jugadas con las dos reglas",
    move: "jugada",
    more: (n) => `y ${number(n)} más`,
  },

  table: {
    positions: "Posiciones",
    wins: "Gana quien mueve",
    deepest: "Jugadas de la partida más larga",
    bytes: "Bytes del archivo",
    digest: "Huella (BLAKE3)",
    cite: "Citar esta tabla",
    copyText: "Copiar la cita",
    copyBibtex: "Copiar como BibTeX",
    copyAddress: "Copiar la dirección permanente",
    copied: "Copiado.",
    many: "Muchas posiciones a la vez",
    lines: "Posiciones, una por línea",
    lookUp: "Buscar",
    copyCsv: "Copiar como CSV",
    invalid: "no es una posición de este juego",
    heads: ["posición", "resultado", "mejor jugada"],
    tooMany: (most) => `Demasiadas líneas: como máximo ${number(most)} a la vez.`,
  },

  error: {
    silent: "El servidor no responde. Puede que esté parado, o que la red esté caída.",
    cut: "La respuesta del servidor llegó cortada.",
    part: "Esta parte de la página no se pudo cargar. Puede que la red esté caída, o que haya una versión nueva: entonces hay que recargar la página.",
    unsolved: (/** @type {string} */ why) => `Este navegador no puede resolver los juegos: ${why}.`,
    noGames: "No se pudo cargar la lista de juegos.",
    again: "Reintentar",
    close: "Cerrar",
    nonsense: (text) =>
      `La dirección termina en «#${text}», que aquí no significa nada. Quizá se haya cortado; elige un juego.`,
    noTables: "El servidor todavía no tiene tablas.",
    refused: (reasons) => `El servidor no puede ofrecer sus tablas. ${reasons}.`,
    status: (status) => `El servidor no pudo responder (código ${status}).`,
    long: "La dirección es demasiado larga. Empieza en una posición posterior.",
    unknown: (parts) => `No se entendió de la dirección: ${parts}. Lo demás se usa.`,
    noDigest: ({ table }) => `La tabla con la huella ${table} no está aquí. Abre su archivo o elige un juego.`,
    details: "Detalles",
    ofServer:
      "Esta página pregunta a un servidor, y este solo abre las tablas de su propia carpeta: pon allí el archivo (bouton-server --tables CARPETA). La página sin servidor también abre tablas.",
    tables: {
      "urn:bouton:not-a-table": (file) =>
        `${file} no es una tabla de Bouton. Abre un archivo creado con bouton generate.`,
      "urn:bouton:newer-table": (file) =>
        `${file} es una tabla de un tipo que esta página no conoce. Usa una versión más nueva de la página, o crea la tabla de nuevo.`,
      "urn:bouton:damaged-table": (file) =>
        `${file} está dañado: su contenido no coincide con sus sumas de control. Copia el archivo otra vez, o crea la tabla de nuevo.`,
    },
    file: (name) => `${name} no contiene ninguna partida. Abre un archivo guardado por bouton-match o por esta página.`,
  },

  problem: {
    "bad-position": ({ position, start, rows, stones, passes }) =>
      `«${position}» no es una posición de este juego. ${rows ? `${rows.length === 1 ? "Tiene" : "Sus filas tienen"} hasta ${and(rows)} palillos` : `Tiene hasta ${number(stones ?? 0)} piedras`}${passes ? `, y hay ${passes === 1 ? "un pase" : `${passes} pases`}` : ""}; una posición es, por ejemplo, ${start}.`,
    "bad-move": ({ moves }) => `Las jugadas «${moves}» no son posibles desde ese comienzo.`,
    "bad-rules": ({ table }) =>
      `«${table}» no describe las reglas de un juego. Elige un juego o escribe tus propias reglas.`,
    "too-much": () =>
      "Es demasiado para calcularlo aquí. Elige menos filas o más cortas, menos piedras, o una posición posterior.",
    "no-such-table": ({ table }) => `Aquí no hay ninguna tabla «${table}»; elige una de la lista.`,
    "damaged-table": () => "La tabla de este juego está dañada. Elige otro juego.",
    busy: () => "El servidor está ocupado. Inténtalo de nuevo en un momento.",
  },

  gallery: {
    games: {
      "twenty-one": ["21 palillos", "Quita 1, 2 o 3. Quien se lleva el último palillo pierde."],
      "own:bounds=21;take=3": ["21 palillos, el último gana", "Quita 1, 2 o 3. Quien se lleva el último palillo gana."],
      sticks: ["El último pierde", "Filas de 3, 5 y 7. Quita los que quieras de una sola fila."],
      marienbad: ["Marienbad", "Filas de 1, 3, 5 y 7, como en la película. El último palillo pierde."],
      "sticks-normal": ["El último gana", "Otra vez filas de 3, 5 y 7, y ahora el último palillo gana."],
      nim: ["Nim", "Hasta cinco filas de hasta 31 palillos. El último palillo gana."],
      "nim-misere": ["Nim, el último pierde", "Hasta cinco filas de hasta 31 palillos, y el último pierde."],
      wythoff: ["La dama a la esquina", "Quita de una fila, o lo mismo de las dos: el juego de Wythoff."],
      subtraction: ["Uno, tres o cuatro", "Quita 1, 3 o 4 palillos de una fila, y ningún otro número."],
      moore: ["De dos filas a la vez", "Quita de una fila o de dos, tanto como quieras: el juego de Moore."],
      "nim-pass": ["Nim con un pase", "Una sola vez, uno de los dos puede no quitar nada. Nadie conoce una fórmula."],
      expanding: [
        "Nim creciente",
        "Cuanto más se quita de una vez, más se puede quitar después; los recortes lo frenan.",
      ],
      "expanding-misere": ["Nim creciente, la última pierde", "Como el Nim creciente, pero la última piedra pierde."],
      "expanding-growth-2": ["Nim creciente, más rápido", "El límite crece de dos en dos, y no de uno en uno."],
      "expanding-resets-1": ["Nim creciente, un recorte", "Cada jugador tiene un solo recorte."],
    },
    variants: (n) => `${n} ${n === 1 ? "variante" : "variantes"}`,
    lessons: [
      "Aprender a ganar",
      "Diez pasos cortos, del espejo a los números binarios: después no se te escapará ninguna posición ganada de Nim.",
    ],
    match: [
      "Una partida en otro sitio",
      "¿Juegas al Nim creciente en otra mesa? Escribe lo que quita el rival y recibe tu mejor jugada.",
    ],
    levels: { 1: "fácil", 2: "medio", 3: "difícil" },
    formula: "se conoce una fórmula",
    noFormula: "no se conoce ninguna fórmula",
    opened: (name) => `Tabla abierta: ${name}. Está en la galería hasta que se cierre la página.`,
    digest: (digest) => `Huella ${digest}`,
    resume: (name) => `Seguir con «${name}»`,
  },

  seat: {
    line: (opponent, side) => [opponent, side].filter(Boolean).join(" · "),
    sides: { 1: "empiezas tú", 2: "empieza el ordenador" },
  },

  own: {
    title: "Tus propias reglas",
    bad: (label, typed, allowed) => `${label}: ${typed && `«${typed}» no puede ser; `}escribe ${allowed}.`,
    whole: (many, from, to) =>
      `${many === 1 ? "un número entero" : `hasta ${many} números enteros`} de ${number(from)} a ${number(to)}`,
    takes: (most) =>
      `números enteros de 1 a ${number(most)} o intervalos, por ejemplo 1, 3, 4 o 1-3; o nada, para cualquier número`,
    fewer: "menos números, o todos desde 1, por ejemplo 1-3",
    game: "Juego",
    games: { heaps: "filas de palillos", expanding: "una pila, como en el Nim creciente" },
    whoWins: "Quien se lleva lo último",
    last: { normal: "gana", misere: "pierde" },
    heaps: "Palillos de cada fila",
    take: "Se quitan (vacío: cualquier número; o 1-3, o 1, 3, 4)",
    passes: "Pases",
    stones: "Piedras",
    growth: "El límite crece en",
    resets: "Recortes de cada jugador",
    play: "Jugar",
  },

  challenge: {
    none: "No se encontró ninguna posición ganadora. Inténtalo otra vez, o con otro juego.",
    about:
      "Posiciones ganadoras de este juego: en cada una hay que encontrar una jugada que gane. ¿Cuántas encuentras seguidas?",
    begin: "Empezar",
    next: "Siguiente",
    task: "Esta posición es ganadora. Encuentra una jugada que gane.",
    right: (streak) => `¡Muy bien! ${streak === 1 ? "Ya llevas una" : `Llevas ${number(streak)} seguidas`}.`,
    help: (buttons) => `Tu racha termina si pides ayuda (${buttons.join(", ")}) o te saltas una posición.`,
    helpTaken: "Has tenido ayuda: esta posición no cuenta y la racha empieza de nuevo.",
    helped: "Bien, pero con ayuda.",
    wrong: "Así se escapa la victoria.",
    better: (move) => `Una jugada ganadora era ${move}. La racha empieza de nuevo.`,
    best: (n) => `Tu racha más larga: ${number(n)}.`,
  },

  learn: {
    step: (n, title, done) => `Paso ${n}: ${title}${done ? ", hecho" : ""}`,
    first: "Quien empieza",
    second: "Quien va después",
    right: "Eso es.",
    wrong: "No es así.",
    play: (position) => `Jugar desde ${position}: empiezas tú`,
    next: "Paso siguiente",
    done: "¡Hecho! Le has ganado al ordenador, que juega a la perfección.",
    allDone: "¡Hecho, y con ello todo el camino! Ya puedes ganar desde cualquier posición ganadora del Nim.",
    columns: "Las filas en binario",
    parity: "unos",
    odd: "impar",
    even: "par",
    chapters: ["Primeros trucos", "Números binarios", "Otros juegos"],
    guess: "¿Quién puede asegurarse la victoria?",
    steps: {
      mirror: {
        title: "el espejo",
        text: "El último palillo gana. Aquí tienes dos filas de 4.",
        because:
          "Quien va después copia cada jugada en la otra fila: quita lo mismo, las filas vuelven a ser iguales y al final las dos quedan vacías.",
        task: "Ahora deja dos filas iguales y copia todo lo que haga el ordenador.",
      },
      three: {
        title: "1, 2, 3",
        text: "Tres filas de 1, 2 y 3; el último palillo gana.",
        because:
          "Haga lo que haga quien empieza, el otro puede dejar dos filas iguales: 1, 2, 3 es una posición perdedora para quien tiene que mover.",
        task: "Déjale al ordenador 1, 2, 3 y sigue desde ahí.",
      },
      fours: {
        title: "múltiplos de cuatro",
        text: "Una fila de 8 palillos. En cada jugada se quitan 1, 2 o 3; el último palillo gana.",
        because:
          "Quite lo que quite quien empieza, el otro puede completar hasta 4: quedan 4, y luego ninguno. Una fila es perdedora si 4 divide su número de palillos.",
        task: "Déjale al ordenador cada vez un múltiplo de 4.",
      },
      last: {
        title: "21 palillos",
        text: "Las mismas jugadas, pero ahora quien se lleva el último palillo pierde. Una fila de 9.",
        because:
          "Ahora hay que dejar uno más que un múltiplo de 4: 1, 5, 9, 13, 17 o 21. Quien tiene que mover desde ahí acaba llevándose el último palillo.",
        task: "Aquí quedan 20 de los 21 palillos. Deja uno más que un múltiplo de 4.",
      },
      binary: {
        title: "unos en columnas",
        text: "Escribe cada fila en binario, con columnas para 4, 2 y 1, y fíjate en las columnas. Aquí 3 es 2 y 1; 5 es 4 y 1; 6 es 4 y 2.",
        because:
          "Cada columna tiene un número par de unos: la suma nim es 0. Toda jugada cambia una fila, y así vuelve impar alguna columna; y la respuesta puede hacer que todas vuelvan a ser pares.",
        task: "Encuentra la fila que puedes cambiar para que todas las columnas sean pares.",
      },
      odd: {
        title: "la columna impar",
        text: "Filas de 3, 5 y 7; el último palillo gana.",
        because:
          "La última columna tiene tres unos: es impar. Busca la columna impar de más a la izquierda, elige una fila que tenga ahí un uno y cambia sus cifras, 0 por 1 y 1 por 0, en todas las columnas impares: el resultado es cuántos palillos han de quedar.",
        task: "Haz aquí lo mismo.",
      },
      sum: {
        title: "la suma nim",
        text: "La suma nim tiene un 1 por cada columna impar y un 0 por cada columna par. Filas de 1, 2, 4 y 6; el último palillo gana.",
        because:
          "Solo la última columna es impar: la suma nim es 1, y no 0. Calcula para cada fila su suma nim con ese 1: eso es lo que tendría que quedar en ella. Solo vale si la fila se acorta: 1 pasa a 0, pero 2, 4 y 6 crecerían.",
        task: "Calcula primero la suma nim; solo una fila puede acortarse así.",
      },
      misere: {
        title: "cuando el último palillo pierde",
        text: "Ahora quien se lleva el último palillo pierde: es el juego misère. Tres filas de 1.",
        because:
          "Cada jugada se lleva una fila, y la tercera es la última: tiene que llevársela quien empieza. Juega al Nim misère como al Nim, hasta que una jugada deje solo filas de un palillo; entonces deja un número impar de ellas.",
        task: "Deja un número impar de filas de un palillo.",
      },
      queen: {
        title: "la dama",
        text: "Una dama va hacia la izquierda, hacia abajo o en diagonal, y gana quien la lleva a la esquina. Está en 1, 2.",
        because:
          "Desde cada casilla a la que llega, la jugada siguiente lleva a la esquina: 1, 2 es perdedora. Luego vienen 3, 5 y 4, 7: cada vez el menor número que aún no ha salido, y una diferencia que crece en uno.",
        task: "Lleva la dama cada vez a una casilla perdedora.",
      },
      table: {
        title: "sin fórmula",
        text: "Nim creciente: en cada jugada se quita como mucho una piedra más que el máximo quitado de una vez, pero siempre hasta 3; la última piedra gana. Quedan 8 piedras.",
        because:
          "Nadie conoce una fórmula para este juego. Pero, empezando por el final, se puede calcular cada posición y apuntarla en una tabla. La tabla dice que a cada jugada desde 8 hay una respuesta que gana.",
        task: "Aquí hay 10 piedras. Pulsa «Muéstrame» y juega según la tabla.",
      },
    },
  },

  assignment: {
    goals: {
      "win-1": "Gana una vez",
      "win-3": "Gana 3 partidas",
      "win-5": "Gana 5 partidas",
      find: "Encuentra la jugada ganadora",
    },
    progress: (n, of) => `${n} de ${of}`,
    reached: "Objetivo cumplido.",
    name: "Tu nombre, si quieres",
    copy: "Copiar el resultado",
    copied: "Resultado copiado.",
    games: (won, games) => `${won} de ${count(games, "partida ganada", "partidas ganadas")}`,
    tries: (n) => `encontrada al intento ${n}`,
    noHints: "sin ayuda",
    make: "Como tarea",
    about: "Empieza en la posición del tablero. Quien la abre juega con el lado que puede ganar.",
    goal: "Objetivo",
    hints: "Ayuda permitida",
    link: "Copiar la dirección de la tarea",
  },

  transcript: {
    player: (who) =>
      ({ you: "tú", table: "el ordenador", opponent: "rival", first: "primer jugador", second: "segundo jugador" })[
        who
      ],
    game: (n, players) => `Partida ${n}: ${players}`,
  },

  share: {
    scan: "Para la clase: escanea el código o escribe la dirección.",
    code: (address) => `Código QR de ${address}`,
  },

  sheet: {
    named: ["Nombre:", "Fecha:"],
    moves: "En cada una de estas posiciones puede ganar quien mueve. Encuentra una jugada ganadora.",
    move: "Jugada ganadora:",
    table: "Empieza por los números más pequeños. Colorea cada casilla desde la que pierde quien tiene que mover.",
    fixed: (position) => `Todo lo demás es como en ${position}.`,
    notice: "¿Qué observas?",
    solutions: (name) => `Soluciones: ${name}`,
    solution: ({ outcome, winning, moves }) => {
      if (outcome === "loss") return "Gana quien va después: toda jugada lleva a una posición ganadora.";
      const said = moves.filter(({ move }) => winning.includes(move)).map(({ takes, reset }) => take(takes, reset));
      return `Gana quien empieza. Puede ${said.slice(0, 5).join("; o ")}${said.length > 5 ? "; y hay otras jugadas" : ""}.`;
    },
    lost: (name) => `Posiciones perdedoras: ${name}`,
    lostFrom: (position, n) =>
      `Quien tiene que mover en una de estas posiciones (${number(n)}) pierde si el rival juega a la perfección. Son todas las que pueden aparecer a partir de ${position}; las mismas filas en otro orden no se repiten.`,
    lostPlane: (position, axes, n) =>
      `Alrededor de ${position}, estas posiciones (${number(n)}) son perdedoras para quien tiene que mover (${axes}); todo lo demás es como en ${position}.`,
  },

  terms: {
    jugadas: "Se cuentan las jugadas de los dos jugadores.",
    "juego misère": "En el juego misère, quien se lleva el último palillo pierde.",
    misère: "En el juego misère, quien se lleva el último palillo pierde.",
    "suma nim":
      "La suma nim: escribe las filas en binario, una debajo de otra. Donde una columna tiene un número impar de unos, la suma nim tiene un 1; donde no, un 0.",
  },
};
