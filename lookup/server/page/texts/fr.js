// The page's words in French. In its texts, a no-break space stands before a colon and inside quotation marks, and a narrow one
// before ";", "!" and "?".

/** @typedef {import("./en.js").Who} Who */
/** @typedef {import("./en.js").Takes} Takes */
/** @typedef {import("./en.js").Game} Game */
/** @typedef {import("./en.js").Position} Position */

/** Avoids toLocaleString, whose first call is slow, where there is no separator. @param {number} n */
const number = (n) => (Number.isInteger(n) && n < 1000 ? String(n) : n.toLocaleString("fr"));
/** Returns a number with its noun. In French, 0 and 1 are singular. */
const many = (/** @type {number} */ n) => n >= 2;
const count = (/** @type {number} */ n, /** @type {string} */ one, several = `${one}s`) =>
  `${number(n)} ${many(n) ? several : one}`;
/** A ply and a move are both "un coup": what one player plays when it is their turn. */
const plies = (/** @type {number} */ n) => count(n, "coup");
/** Returns all items of a list except the last; of a long list, the first eight. */
const before = (/** @type {(string | number)[]} */ all) =>
  (all.length > 16 ? [...all.slice(0, 8), "…"] : all.slice(0, -1)).join(", ");
const listed = (/** @type {(string | number)[]} */ all, /** @type {string} */ last) =>
  all.length < 2 ? all.join("") : `${before(all)} ${last} ${all[all.length - 1]}`;
const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
const small = (/** @type {string} */ text) => text.charAt(0).toLowerCase() + text.slice(1);
const soon = (/** @type {number | undefined} */ depth) => (depth === undefined ? "" : ` en ${plies(depth)}`);
/** Returns the form of a verb for "tu", or for others. */
const verb = (/** @type {Who} */ who, /** @type {string} */ you, /** @type {string} */ other) =>
  who === "you" ? you : other;
const gains = (/** @type {Who} */ who) => verb(who, "gagnes", "gagne");
const winsOrLoses = (/** @type {string} */ outcome) => (outcome === "win" ? "gagne" : "perd");

/** @type {Record<Who, string>} */
const NAMES = {
  you: "tu",
  table: "l’ordinateur",
  opponent: "l’adversaire",
  first: "le premier joueur",
  second: "le second joueur",
};
/** @type {Record<Who, string>} */
const TO = {
  you: "à toi",
  table: "à l’ordinateur",
  opponent: "à l’adversaire",
  first: "au premier joueur",
  second: "au second joueur",
};
const name = (/** @type {Who} */ who) => capital(NAMES[who]);
const turn = (/** @type {Who} */ who) => `${capital(TO[who])} de jouer.`;

/** Returns the stones of a move, without a verb. @param {Takes} takes */
const taken = (takes) =>
  listed(
    takes.map(({ row, stones }) => (row === null ? count(stones, "pierre") : `${number(stones)} sur la ligne ${row}`)),
    "et",
  );

/** Returns a move as an instruction. @param {Takes} takes @param {boolean} reset */
const take = (takes, reset) =>
  takes.length === 0 ? "passer" : `prendre ${taken(takes)}${reset ? " et imposer une réduction" : ""}`;

/** Returns a move that a player made. @param {Who} who @param {Takes} takes @param {boolean} reset */
const took = (who, takes, reset) =>
  takes.length === 0
    ? `${NAMES[who]} ${verb(who, "passes", "passe")}`
    : `${NAMES[who]} ${verb(who, "prends", "prend")} ${taken(takes)}${reset ? ` et ${verb(who, "imposes", "impose")} une réduction` : ""}`;

/** Returns a move in few words, for tables and lists. @param {Takes} takes @param {boolean} reset */
const briefMove = (takes, reset) =>
  takes.length === 0 ? "passer" : `${taken(takes)}${reset ? " avec réduc\u00adtion" : ""}`;

/** Returns a position in words. @param {Position} position @param {boolean} [brief] in few words, for tables */
function position({ pile, heaps = [], passes }, brief = false) {
  if (pile) {
    const stones = brief ? `reste ${number(pile.stones)}` : `il reste ${count(pile.stones, "pierre")}`;
    return pile.stones === 0 ? "plus rien" : `${stones}, limite ${number(pile.limit)}`;
  }
  const rows =
    heaps.length === 1
      ? count(heaps[0], "bâtonnet")
      : heaps.join(brief && heaps.join("").length < 4 ? ",\u00a0" : ", ");
  const left =
    passes === undefined ? "" : ` ; ${passes === 0 ? "on ne peut plus passer" : `on peut passer ${passes} fois`}`;
  return heaps.some((heap) => heap > 0) ? rows + left : "plus rien";
}

/** @param {number[]} counts */
const exactly = (counts) => (counts.length === 1 ? `exactement ${counts[0]}` : listed(counts, "ou"));

/** @param {any} rules */
function mayTakeOfHeaps(rules) {
  const several = rules["heaps-per-move"] ?? 1;
  const amount =
    rules.take === "any"
      ? "autant de bâtonnets que l’on veut"
      : typeof rules.take === "number"
        ? `${rules.take === 1 ? "" : "de 1 à "}${count(rules.take, "bâtonnet")}`
        : `${listed(rules.take, "ou")} ${rules.take.some(many) ? "bâtonnets" : "bâtonnet"}`;
  const move =
    several === 1
      ? `on prend ${amount} sur une même ligne`
      : Array.isArray(several)
        ? `on choisit ${exactly(several)} lignes et on prend sur chacune ${rules["equal-take"] ? "le même nombre : " : ""}${amount}`
        : rules["equal-take"]
          ? `on prend ${amount} sur une ligne, ou le même nombre sur ${several === 2 ? "deux lignes" : `plusieurs (${several} au plus)`}`
          : `on choisit ${several === 2 ? "une ou deux" : `de 1 à ${several}`} lignes et on prend sur chacune ${amount}`;
  const pass = !rules.passes
    ? ""
    : rules.passes === 1
      ? " Une seule fois dans la partie, l’un des deux joueurs peut passer son tour, tant qu’un coup reste possible."
      : ` Les deux joueurs peuvent passer leur tour, ${rules.passes} fois en tout, tant qu’un coup reste possible.`;
  return `À chaque coup, ${move}.${pass}`;
}

/** @param {any} rules */
function mayTakeOfPile(rules) {
  const [first, second] = rules.resets;
  const reset = ` En jouant, on peut imposer une réduction (notée r) : l’adversaire peut alors prendre ${count(rules["reset-limit"], "pierre")} au plus.`;
  const resets =
    first + second === 0
      ? ""
      : first === second
        ? ` Chaque joueur a ${count(first, "réduction")}.${reset}`
        : ` Le premier joueur a ${count(first, "réduction")}, le second ${second}.${reset}`;
  const limit =
    rules.growth === 0
      ? "la plus grosse prise jusqu’ici"
      : `${rules.growth} de plus que la plus grosse prise jusqu’ici`;
  return `À chaque coup, on prend des pierres sans dépasser une limite : ${limit}. La limite vaut toujours au moins ${rules["base-limit"]}.${resets}`;
}

/** Returns the amounts that a move may take. */
const mayTake = (/** @type {Game} */ table) =>
  table.game === "heaps" ? mayTakeOfHeaps(table.rules) : mayTakeOfPile(table.rules);

const lastOne = (/** @type {Game} */ table) =>
  `Celui qui prend ${table.game === "heaps" ? "le dernier bâtonnet" : "la dernière pierre"} ${table.rules.play === "misere" ? "perd" : "gagne"}.`;

/** Returns a list of numbers as pairs. @param {number[]} values */
const pairs = (values) =>
  Array.from({ length: values.length / 2 }, (_, n) => `(${values[2 * n]},${values[2 * n + 1]})`);

/** Returns the statement of a theorem. @param {any} block */
function theorem({ key, modulus, values, more }) {
  switch (key) {
    case "nim":
      return "une position est perdante si sa somme de Nim est 0, c’est-à-dire si, une fois les lignes écrites en binaire, chaque colonne contient un nombre pair de 1.";
    case "misere-nim":
      return "tant qu’une ligne a au moins deux bâtonnets, une position est perdante si sa somme de Nim est 0, comme au jeu normal. Quand aucune ligne n’en a plus d’un, chaque coup en vide une : une position est alors perdante si le nombre de lignes d’un bâtonnet est impair.";
    case "bachet": {
      const rest =
        values[0] === 0
          ? `${modulus} divise le nombre de bâtonnets`
          : `la division du nombre de bâtonnets par ${modulus} a pour reste 1`;
      return `une position est perdante si ${rest} : ${values.join(", ")}${more ? "…" : ""}. Quoi que prenne un coup, la réponse peut prendre ce qui manque pour faire ${modulus}.`;
    }
    case "grundy":
      return `la valeur d’une ligne est le plus petit nombre qui n’est la valeur d’aucune des lignes que l’on peut en tirer en un coup. Une position est perdante si la somme de Nim des valeurs est 0, donc si chaque colonne contient un nombre pair de 1. Les valeurs des lignes de 0, 1, 2… bâtonnets : ${values.join(", ")}${more ? "…" : ""}`;
    case "moore":
      return `quand un coup peut prendre sur ${modulus - 1} lignes au plus, une position est perdante si, une fois les lignes écrites en binaire, le nombre de 1 de chaque colonne est un multiple de ${modulus}.`;
    case "wythoff":
      return `les couples perdants sont (0,0), puis, chaque fois, le plus petit nombre qui n’est dans aucun couple précédent ; pour l’autre ligne, on lui ajoute le numéro du couple : ${pairs(values).join(" ")}${more ? "…" : ""}`;
  }
  return null;
}

const NO_MOVE_KEEPS_IT = "un coup change une seule ligne, et chaque colonne où un chiffre change devient impaire.";

const noMoveKeepsMultiples = (/** @type {number} */ modulus) =>
  `aucun coup ne les garde ainsi : dans la colonne la plus à gauche parmi celles qu’il change, un coup enlève au moins un 1, et au plus ${modulus - 1}.`;

const ofOne = (/** @type {number} */ heaps) => `${count(heaps, "ligne")} d’un seul bâtonnet`;

/** Returns a conclusion from a theorem. @param {any} block @param {any} why */
function sentence({ key, move, makes = [], answer, numbers = [] }, why) {
  const [n, second, third] = numbers;
  const becomes = makes.map((/** @type {any} */ { from, to }) => `${from} devient ${to}`).join(", ");
  const deed = move && `Prends ${taken(move.takes)} (${becomes})`;
  const example = answer
    ? ` Par exemple, si ${took(why.who, move.takes, move.reset)}, la réponse est de ${take(answer.takes, answer.reset)}.`
    : "";
  const values = why.blocks.some((/** @type {any} */ block) => block.key === "grundy");
  switch (key) {
    case "no-theorem":
      return "Bouton ne connaît aucun théorème qui règle ce jeu ; voici le raisonnement de la table elle-même.";
    case "too-large":
      return "Ces lignes sont trop longues pour calculer ici ce que le théorème du jeu en dit ; voici le raisonnement de la table elle-même.";
    case "contradicted":
      return "Le théorème qui règle ce jeu contredit la table : ne te fie pas à elle, et vérifie-la avec `bouton verify`. Voici son raisonnement :";
    case "sum-is-zero": {
      const misere = why.blocks.some((/** @type {any} */ block) => block.key === "misere-nim");
      const end = misere ? ", ou laisse un nombre impair de lignes d’un seul bâtonnet et aucune autre" : "";
      return `La somme de Nim est 0, et aucun coup ne la garde à 0 : ${NO_MOVE_KEEPS_IT} La réponse de l’adversaire rend de nouveau toutes les colonnes paires${end}.${example}`;
    }
    case "makes-sum-zero":
      return `Les colonnes où la somme de Nim a un 1 doivent changer, sur une seule ligne. ${deed} : la somme de Nim ${values ? "des valeurs" : "de"} ${n} et ${third} est ${second}, et celle de toutes les ${values ? "valeurs" : "lignes"} devient 0.`;
    case "sum-stays-not":
      return `À partir de là, aucun coup ne garde la somme à 0 : ${NO_MOVE_KEEPS_IT}`;
    case "ones":
      return `La position a ${ofOne(n)} : ce nombre est ${n % 2 === 0 ? "pair, donc l’adversaire" : "impair, donc celui qui doit jouer"} devra prendre le dernier.`;
    case "leaves-ones":
      return `Ici, le jeu misère s’écarte du jeu normal, car le coup ne laisse aucune ligne de deux bâtonnets ou plus. ${deed}, et il reste ${ofOne(n)} : un nombre impair, donc l’adversaire devra prendre le dernier. Au jeu normal, on en laisserait un nombre pair.`;
    case "rest": {
      const divided = third === 0 ? `${second} divise ${n}.` : `Quand on divise ${n} par ${second}, il reste ${third}.`;
      const moved = makes.length > 0;
      const last = third === 0 ? "" : ` ${moved ? "L’adversaire" : "Celui qui doit jouer"} devra prendre le dernier.`;
      const then = moved
        ? ` Quoi que prenne ensuite l’adversaire, prends ce qui manque pour faire ${second}, et cela reste vrai.`
        : ` Quoi qu’on prenne, l’adversaire peut prendre ce qui manque pour faire ${second}, et cela reste vrai.${example}`;
      return `${moved ? `${deed} : ${small(divided)}` : divided}${n === third ? last : then}`;
    }
    case "all-multiples":
      return `Ce sont tous des multiples de ${n}, et ${noMoveKeepsMultiples(n)}${example}`;
    case "makes-multiples":
      return `${deed}, et le nombre de 1 de chaque colonne devient un multiple de ${n} :`;
    case "multiples-stay-not":
      return `À partir de là, ${noMoveKeepsMultiples(n)}`;
    case "lost-pair":
      return `${move === undefined ? "C’est le couple" : `${deed} : c’est le couple`} (${second},${third}), numéro ${n}. Aucun coup ne mène d’un couple perdant à un autre, car deux d’entre eux n’ont jamais un nombre en commun, ni la même différence.`;
  }
  return null;
}

/** Returns the conclusion from the replies. @param {any} why */
function replies({ best, of, outcome, replies }) {
  const over = replies.length === 0;
  if (best !== null) {
    const because = over
      ? "il n’y reste aucun coup."
      : "chaque coup y a une réponse qui mène de nouveau à une position perdante.";
    return `Le meilleur coup est de ${take(best.takes, best.reset)}. La position qui suit (${position(of)}) est perdante pour l’adversaire : ${because}`;
  }
  if (over)
    return `Il ne reste aucun coup : d’après les règles, c’est une ${outcome === "win" ? "victoire" : "défaite"}.`;
  const ends = replies.some((/** @type {any} */ { answer }) => answer === null) ? "met fin à la partie, ou " : "";
  return `Chaque coup ${ends}a une réponse qui mène de nouveau à une position perdante :`;
}

/** @type {import("../language.js").Texts} */
export const texts = {
  code: "fr",
  html: {
    more: "Plus",
    less: "Moins",
    "more-tools": "Plus…",
    another: "Un autre jeu",
    rules: "Chaque position est résolue : joue, et vois pourquoi.",
    "@page": "Page",
    games: "Jeux",
    learn: "Apprendre",
    present: "Projeter",
    "present-end": "Quitter la projection",
    guide: "Aide",
    "guide-about": "Bouton a résolu ces jeux entièrement : de chaque position, il sait qui gagne et comment.",
    "@language": "Langue",
    "@solving": "Résolution du jeu",
    choose: "Choisis un jeu",
    own: "Tes propres règles",
    "@board": "Plateau",
    settings: "Réglages",
    "@settings": "Réglages",
    game: "Jeu",
    start: "Départ",
    restart: "Recommencer",
    opponent: "Adversaire",
    perfect: "ordinateur parfait",
    medium: "ordinateur moyen",
    easy: "ordinateur facile",
    friend: "un ami, sur cet écran",
    nobody: "personne : regarder l’ordinateur",
    elsewhere: "une partie ailleurs",
    side: "Tu joues",
    first: "en premier",
    second: "en second",
    loading: "Chargement…",
    again: "Rejouer",
    pass: "Passer",
    reset: "Avec réduction",
    undo: "Annuler",
    redo: "Rétablir",
    "@tools": "Outils",
    "@tools-play": "Jouer",
    "@tools-understand": "Comprendre",
    "@tools-explore": "Explorer",
    "@tools-share": "Transmettre",
    hint: "Indice",
    show: "Montre-moi",
    why: "Pourquoi",
    history: "Historique",
    map: "Carte",
    variants: "Variantes",
    challenge: "Défi",
    share: "Partager",
    print: "Imprimer",
    keys: "Touches",
    "@address": "À copier",
    "learn-title": "Apprendre",
    "challenge-title": "Défi",
    "why-title": "Pourquoi",
    "history-title": "Historique",
    save: "Enregistrer la partie",
    "open-file": "Ouvrir un fichier : partie ou table",
    table: "Table",
    open: "Ouvrir une partie",
    "@recorded": "Partie du fichier",
    "map-title": "Carte",
    "@colours": "Couleurs",
    "variants-title": "Variantes",
    other: "Autres règles",
    whole: "Ouvrir la page entière",
    printing: "Imprimer",
    "sheet-about": "Chaque fiche a ses solutions sur une seconde page.",
    "sheet-moves": "Fiche : trouver le coup gagnant",
    "sheet-outcomes": "Fiche : qui peut gagner ?",
    "sheet-table": "Fiche : remplir le tableau",
    "lost-table": "Liste : les positions perdantes",
    close: "Fermer",
    "keys-title": "Touches",
    key: "touche",
    does: "effet",
    "key-choose": "un coup en arrière, en avant ; sur le plateau : en choisir un de plus, un de moins",
    "key-row": "aller au plateau, puis à une autre ligne",
    "key-all": "au début, à la fin de la partie ; sur le plateau : tout choisir, n’en choisir qu’un",
    "key-digits": "ce que prend l’adversaire, dans une partie jouée ailleurs",
    "key-take": "prendre les bâtonnets choisis",
    "key-reset": "imposer une réduction, au Nim croissant",
    "key-undo": "annuler, rétablir",
    "key-restart": "recommencer la partie",
    "key-pause": "mettre l’ordinateur en pause, ou continuer",
    "key-show": "montrer quels coups gagnent et lesquels perdent",
    "key-panels": "pourquoi, historique, carte, variantes, défi, table",
    "key-page": "jeux, apprendre, aide, projeter",
    "key-hint": "un indice : où, et non quoi",
    "key-help": "montrer cette liste",
    shortcuts: "Les lettres et ? servent de raccourcis",
  },

  number,
  capital,
  take,
  briefMove,
  position,

  status: {
    loading: "Chargement…",
    nothing: "Rien à jouer pour l’instant.",
    waiting: "La réponse arrive…",
    turn,
    waits: (who) =>
      who === "you" ? "Choisis ton coup, ou appuie sur « Continuer »." : `${turn(who)} Appuie sur « Continuer ».`,
    won: (who) => `La partie est finie. ${capital(NAMES[who])} ${gains(who)}.`,
    empty: "Il ne reste aucun coup. Il n’y a rien à jouer.",
    deed: (who, takes, reset) => capital(took(who, takes, reset)),
    start: "Retour au début.",
    at: (at, of) => `Au coup ${at} sur ${of}.`,
    undone: {
      move: "",
      begin: "La partie d’avant est revenue.",
      seat: "Les joueurs sont de nouveau ceux d’avant.",
      go: "",
      walk: "",
      line: "La suite de coups d’avant est revenue.",
    },
    copied: "Adresse copiée.",
    copy: "Copie-le dans le champ ci-dessous.",
    copiedFile: "Elle ouvre ce fichier là où il se trouve ; dans une autre copie, colle-la dans « Départ ».",
    exported: "La partie est enregistrée.",
  },

  play: {
    take: "Prendre…",
    illegal: "Ce coup n’est pas permis ici.",
    how: (pile, several) =>
      pile
        ? "Choisis une pierre : tu la prends, avec toutes celles à sa droite."
        : `Choisis un bâtonnet : tu prends aussi tous ceux à sa droite.${several ? " Tu peux aussi choisir sur d’autres lignes." : ""}`,
    howQueen:
      "Choisis une case : la dame va à gauche (ligne 1), vers le bas (ligne 2) ou en diagonale (autant sur les deux).",
    pause: "Pause",
    go: "Continuer",
    passesLeft: (n) => (n === 0 ? "On ne peut plus passer" : `On peut encore passer ${number(n)} fois`),
    thrown: (who, ply) => `${name(who)} ${verb(who, "as", "a")} laissé échapper la victoire au coup ${ply}.`,
    noneThrown: "Aucun coup n’a laissé échapper de victoire : elle était acquise dès le départ.",
    look: "Revoir ce coup",
  },

  guide: {
    choose: "Choisis un jeu ; sous son nom, il est dit ce qu’on peut prendre.",
    take: "Puis appuie sur « Prendre ». Tout peut s’annuler, même une nouvelle partie.",
    buttons: {
      hint: "dit où regarder, et non quoi faire.",
      show: "marque les coups qui gagnent et ceux qui perdent.",
      why: "donne l’argument : le théorème, s’il y en a un, et une réponse à chaque coup.",
      history:
        "montre coup par coup qui gagnerait, et où une victoire a été manquée ; enregistre et ouvre des parties.",
      map: "montre toutes les positions autour de celle-ci, gagnantes et perdantes.",
      variants: "compare avec la même position sous d’autres règles.",
      challenge: "demande des coups gagnants, l’un après l’autre.",
      table: "donne la taille de la table et la façon de la citer, et répond à beaucoup de positions à la fois.",
      learn: "t’apprend à gagner, en dix étapes.",
      settings:
        "pour choisir la position de départ, l’adversaire et qui commence ; si tu joues ailleurs, l’ordinateur te conseille.",
      present: "remplit l’écran d’un projecteur ; Échap y met fin.",
      share: "copie une adresse qui ouvre exactement cette partie, ou la donne comme devoir.",
      print: "fait une fiche d’exercices, ou une liste des positions perdantes.",
    },
  },

  board: {
    heaps: "Bâtonnets",
    pile: "Pierres",
    chessboard: "Échiquier, le coin est 0,0",
    queen: (at) => `Dame en ${at}`,
    square: (at, take) => `vers ${at} : ${take}`,
    row: (n) => `Ligne ${n}`,
    aRow: (n) => `sur la ligne ${n}`,
    thePile: "Tas",
    aPile: "dans le tas",
    holds: (name, n, pile) => `${name} : ${count(n, pile ? "pierre" : "bâtonnet")}`,
    outOfReach: (n) => `${count(n, "pierre")} hors de portée`,
    stick: (name, pile, n, of, taken) =>
      `${name}, ${pile ? "pierre" : "bâtonnet"} ${n} sur ${of} : ${taken > 1 && taken === of ? `les choisir ${pile ? "toutes" : "tous"}, soit ${taken}` : `choisir ${taken === 1 ? (pile ? "la dernière" : "le dernier") : `les ${taken} ${pile ? "dernières" : "derniers"}`}`}`,
    howMany: (name) => `Combien en prendre ${name}`,
    bar: (name) => `Combien en prendre ${name}, avec un curseur`,
    fewer: (name) => `1 de moins ${name}`,
    more: (name) => `1 de plus ${name}`,
    left: "pierres restantes",
    limit: "limite",
    bound: "une réduction agit ce tour-ci",
    most: "plus grosse prise",
    resets: (who) =>
      ({
        you: "tes réductions",
        table: "réductions de l’ordinateur",
        opponent: "réductions de l’adversaire",
        first: "réductions du premier joueur",
        second: "réductions du second joueur",
      })[who],
    resetsLeft: (left, of) => `il en reste ${left} sur ${of}`,
    none: "aucune",
    taken: "Pris",
    taker: (who) => (who === "you" ? "Toi" : capital(NAMES[who].replace(/^l(’|e )/, ""))),
    withLast: (pile) => (pile ? "avec la dernière pierre" : "avec le dernier bâtonnet"),
  },

  match: {
    ask: (who) => verb(who, "Combien prends-tu ?", "Combien prend l’adversaire ?"),
    other: "Tu as joué autre chose ?",
    resets: (yours, theirs) => `réductions : toi ${yours}, adversaire ${theirs}`,
    erase: "Effacer le dernier chiffre",
  },

  rules: {
    all: (table) => `${lastOne(table)} ${mayTake(table)}`,
    mayTake,
  },

  verdict: {
    short: (outcome, depth) => `${winsOrLoses(outcome)}${soon(depth)}`,
    toMove: (outcome, depth) => `Le joueur dont c’est le tour ${winsOrLoses(outcome)}${soon(depth)}.`,
    wins: (who, depth) => `${name(who)} ${gains(who)}${soon(depth)}`,
    move: (outcome, reset) => `${reset ? "avec une réduction, " : ""}${winsOrLoses(outcome)}`,
    left: (n) => `${plies(n)} ensuite`,
    leftOf: (n) => `${many(n) ? "coups" : "coup"} ensuite`,
  },

  show: {
    over: "Il ne reste aucun coup.",
    win: (who, depth, winning, all) =>
      `Ici, ${NAMES[who]} ${verb(who, "peux", "peut")} gagner${soon(depth)} : ${winning === 1 ? "un seul coup gagne" : `${number(winning)} coups sur ${number(all)} gagnent`}.`,
    loss: (who, depth) =>
      `Ici, ${NAMES[who]} ${verb(who, "perds", "perd")}${soon(depth)} si l’adversaire ne se trompe pas : aucun coup ne gagne.`,
    thisWins: "ce coup gagne",
    thisLoses: "ce coup perd",
    number: "nombre : coups à jouer ensuite",
    reset: "r : avec une réduction",
    moves: "Coups possibles",
    more: (n) => `En montrer ${number(n)} de plus`,
  },

  hint: {
    lost: "Ici, aucun coup ne gagne. Prends peu, pour durer.",
    row: (rows) => `Regarde la ligne ${listed(rows, "ou")}.`,
    rows: (rows) => `Regarde les lignes ${listed(rows, "et")} ensemble.`,
    pass: "Et si tu ne prenais rien du tout ?",
    reset: "Pense à une réduction.",
    few: "Quelques pierres suffisent.",
    many: "Prends-en beaucoup.",
    over: "Il ne reste aucun coup.",
  },

  why: {
    theorem: ({ key, name }) =>
      `${/** @type {Record<string, string>} */ ({ "misere-nim": "Bouton (1901), jeu misère", grundy: "Sprague et Grundy" })[key] ?? name} : `,
    argument: "Le raisonnement en mots",
    replies: "Coups et réponses",
    each: "Chaque coup à partir d’ici, et la réponse",
    after: (who, takes, reset) => `Si ${took(who, takes, reset)} : chaque coup de l’adversaire, et la réponse`,
    heads: ["coup", "mène à", "réponse", "mène à"],
    none: "aucune : il ne reste pas de coup",
    more: (n) => `et ${count(n, "autre coup", "autres coups")}`,
    row: "ligne",
    heap: "bâtonnets",
    value: "valeur",
    sum: "somme de Nim",
    ones: (modulus) => `nombre de 1 mod ${modulus}`,
    odd: "impair",
    now: "Maintenant",
    move: (who, takes, reset, which) =>
      `Si ${took(who, takes, reset)} : ${{ chosen: "le coup choisi", best: "le meilleur coup", try: "le meilleur essai" }[which]}`,
    even: "Alors toutes les colonnes sont paires : la somme de Nim est 0.",
    oddOnes: (sum) => `Alors les colonnes marquées ▲ sont impaires : la somme de Nim est ${sum}.`,
    block: (block, why) =>
      (block.kind === "theorem" ? theorem(block) : block.kind === "replies" ? replies(why) : sentence(block, why)) ??
      block.statement ??
      block.text,
  },

  history: {
    curve: "La courbe",
    byPly: "Courbe, coup par coup",
    ply: (n) => `coup ${n}`,
    depth: "profondeur : coups jusqu’à la fin",
    whoWins: "qui gagne",
    wins: (who) => `${name(who)} ${gains(who)}`,
    point: (at, position, wins, mistake) =>
      `Coup ${at} (${position}) : ${small(wins)}${mistake ? " ; une victoire a été manquée" : ""}`,
    noMove: "Aucun coup n’a encore été joué.",
    choose:
      "Choisis un point pour y revenir ; « Rétablir » fait avancer de nouveau. Les flèches du clavier parcourent la courbe.",
    noneThrown: "Aucun coup n’a laissé échapper de victoire.",
    thrown: (ply, who, takes, reset) =>
      `Coup ${ply} : ${took(who, takes, reset)}, et la victoire ${verb(who, "t’échappe", "lui échappe")}.`,
    better: (move) => `Le mieux était de ${move}.`,
    moves: "Coups",
    heads: ["n°", "qui", "coup", "position"],
    by: (who) => (who === "you" ? "Toi" : name(who)),
    mistake: "gain manqué",
    variations: "Autres suites de cette partie",
    variation: (from, moves) => `à partir du coup ${from} : ${moves}`,
  },

  map: {
    won: "gagnante pour celui qui doit jouer",
    lost: "perdante",
    here: "ici",
    stronger: "couleur plus vive : plus loin de la fin",
    strongerValue: "couleur plus forte\u00a0: valeur plus grande",
    plane: "Le plan",
    axis: (name) =>
      ({
        "stones left": "pierres restantes",
        "currentmax: most taken at once": "plus grosse prise",
      })[name] ?? name.replace(/stones in row (\d+)/, "bâtonnets (ligne $1)"),
    none: (place) => `${place} : pas de position`,
    cell: (place, win, depth) =>
      `${place} : ${win ? "gagnante" : "perdante"} pour celui qui doit jouer${depth === undefined ? "" : `, ${plies(depth)}`}`,
    at: (cell) => `Ici : ${cell}.`,
    summary: (across, up, lost, known) =>
      `${across}${up && `, et ${up}`} : ${count(lost, "position")} sur ${number(known)} ${many(lost) ? "sont perdantes" : "est perdante"} pour celui qui doit jouer.`,
    range: (name, from, to) => `${name} de ${from} à ${to}`,
    byOutcome: "gagnantes et perdantes",
    byDepth: "par profondeur",
    byValue: "par valeur (nim-somme)",
    against: (name) => `comparées à ${name}`,
    differs: (name) => `autre résultat dans ${name}`,
    controls: "Zoom et déplacement",
    does: {
      "-": "Réduire",
      "+": "Agrandir",
      ArrowLeft: "Vers la gauche",
      ArrowRight: "Vers la droite",
      ArrowDown: "Vers le bas",
      ArrowUp: "Vers le haut",
      Home: "Revenir à la position",
    },
    csv: "Enregistrer en CSV",
    svg: "Enregistrer en SVG",
    every: (position) => `Toutes les positions à partir de ${position}`,
    label: (pile) =>
      !pile?.stones
        ? ["plus rien"]
        : [`limite ${pile.limit}`, `réductions ${pile.resets.join(", ")}`, ...(pile.imposed ? ["limite réduite"] : [])],
    resets: "réductions\u00a0: d’abord celles du joueur qui doit jouer",
    everyPosition: "Toutes les positions",
    winningMove: "coup gagnant",
    played: "joué",
    whole: (position, all, lost, moves, played) =>
      `Les ${all} positions à partir de ${position}, avec ${count(moves, "coup")} ; ${lost} ${many(lost) ? "sont perdantes" : "est perdante"} pour celui qui doit jouer. Joué : ${played}.`,
  },

  variants: {
    none: "Il n’y a pas d’autre table dans cette famille de jeux.",
    differs: "Le verdict sur cette position est différent.",
    same: "Le verdict sur cette position est le même en tout point.",
    sameOutcome: (differing) =>
      `Le même joueur gagne. Ce qui change : ${differing.map((key) => /** @type {Record<string, string>} */ ({ depth: "en combien de coups", best: "le meilleur coup", winning: "les coups gagnants" })[key] ?? key).join(", ")}.`,
    go: "Continuer avec les autres règles",
    best: (move) => `Meilleur coup : ${move}`,
    bestTry: (move) => `Aucun coup ne gagne ; le meilleur essai : ${move}`,
    win: (n) => `${count(n, "coup gagne", "coups gagnent")}.`,
    notCovered: "La table des autres règles ne couvre pas cette position.",
    notAllowed: "interdit",
    differ: "différent",
    moves: (differing, single) =>
      `${differing === 0 ? "Aucun coup n’a une issue différente" : `${count(differing, "coup a", "coups ont")} une issue différente`}${single === 0 ? "." : ` ; ${count(single, "coup n’est permis", "coups ne sont permis")} que par l’une des deux règles.`}`,
    both: "Coups selon les deux règles",
    move: "coup",
    more: (n) => `et ${count(n, "autre")}`,
  },

  table: {
    positions: "Positions",
    wins: "Gagnantes pour celui qui doit jouer",
    deepest: "Coups de la partie la plus longue",
    bytes: "Octets du fichier",
    digest: "Empreinte (BLAKE3)",
    cite: "Citer cette table",
    copyText: "Copier la citation",
    copyBibtex: "Copier en BibTeX",
    copyAddress: "Copier l’adresse permanente",
    copied: "Copié.",
    many: "Beaucoup de positions à la fois",
    lines: "Positions, une par ligne",
    lookUp: "Chercher",
    copyCsv: "Copier en CSV",
    invalid: "pas une position de ce jeu",
    heads: ["position", "résultat", "meilleur coup"],
    tooMany: (most) => `Trop de lignes : ${number(most)} au plus à la fois.`,
  },

  error: {
    silent: "Le serveur ne répond pas. Il est peut-être arrêté, ou le réseau est coupé.",
    cut: "La réponse du serveur a été interrompue.",
    part: "Cette partie de la page n’a pas pu être chargée. Le réseau est peut-être coupé, ou il y a une nouvelle version : il faut alors recharger la page.",
    unsolved: (/** @type {string} */ why) => `Ce navigateur ne peut pas résoudre les jeux : ${why}.`,
    noGames: "La liste des jeux n’a pas pu être chargée.",
    again: "Réessayer",
    close: "Fermer",
    nonsense: (text) =>
      `L’adresse se termine par « #${text} », ce qui ne veut rien dire ici. Elle a peut-être été coupée ; choisis un jeu.`,
    noTables: "Le serveur n’a pas encore de tables.",
    refused: (reasons) => `Le serveur ne peut pas fournir ses tables. ${reasons}.`,
    status: (status) => `Le serveur n’a pas pu répondre (code ${status}).`,
    long: "L’adresse est trop longue. Commence à une position plus tardive.",
    unknown: (parts) => `Dans l’adresse, ceci n’a pas été compris : ${parts}. Le reste est utilisé.`,
    noDigest: ({ table }) => `La table d’empreinte ${table} n’est pas ici. Ouvre son fichier, ou choisis un jeu.`,
    details: "Détails",
    ofServer:
      "Cette page interroge un serveur, qui n’ouvre que les tables de son propre dossier : mets-y le fichier (bouton-server --tables DOSSIER). La page sans serveur ouvre aussi des tables.",
    tables: {
      "urn:bouton:not-a-table": (file) =>
        `${file} n’est pas une table de Bouton. Ouvre un fichier produit par bouton generate.`,
      "urn:bouton:newer-table": (file) =>
        `${file} est une table d’un type que cette page ne connaît pas. Utilise une version plus récente de la page, ou produis de nouveau la table.`,
      "urn:bouton:damaged-table": (file) =>
        `${file} est endommagé : son contenu ne correspond pas à ses sommes de contrôle. Copie de nouveau le fichier, ou produis de nouveau la table.`,
    },
    file: (name) =>
      `${name} n’est pas une partie enregistrée. Ouvre un fichier enregistré par bouton-match ou par cette page.`,
  },

  problem: {
    "bad-position": ({ position, start, rows, stones, passes }) =>
      `« ${position} » n’est pas une position de ce jeu. ${rows ? `${rows.length === 1 ? "Il a" : "Ses lignes ont"} jusqu’à ${listed(rows, "et")} bâtonnets` : `Il a jusqu’à ${number(stones ?? 0)} pierres`}${passes ? `, et on peut passer ${passes === 1 ? "une fois" : `${passes} fois`}` : ""} ; ${start}, par exemple, en est une.`,
    "bad-move": ({ moves }) => `Les coups « ${moves} » ne sont pas possibles depuis ce début.`,
    "bad-rules": ({ table }) =>
      `« ${table} » ne décrit pas les règles d’un jeu. Choisis un jeu, ou écris tes propres règles.`,
    "too-much": () =>
      "C’est trop à calculer ici. Choisis moins de lignes ou des lignes plus courtes, moins de pierres, ou une position plus tardive.",
    "no-such-table": ({ table }) => `Il n’y a pas ici de table « ${table} » ; choisis-en une dans la liste.`,
    "damaged-table": () => "La table de ce jeu est abîmée. Choisis un autre jeu.",
    busy: () => "Le serveur est surchargé. Réessaie dans un instant.",
  },

  gallery: {
    games: /** @type {Record<string, [string, string]>} */ ({
      "twenty-one": ["21 bâtonnets", "Prends-en 1, 2 ou 3. Celui qui prend le dernier bâtonnet perd."],
      "own:bounds=21;take=3": [
        "21 bâtonnets, le dernier fait gagner",
        "Prends-en 1, 2 ou 3. Celui qui prend le dernier bâtonnet gagne.",
      ],
      sticks: ["Le dernier fait perdre", "Des lignes de 3, 5 et 7. Prends autant que tu veux sur une seule ligne."],
      marienbad: ["Marienbad", "Des lignes de 1, 3, 5 et 7, comme dans le film. Le dernier bâtonnet fait perdre."],
      "sticks-normal": [
        "Le dernier fait gagner",
        "Encore des lignes de 3, 5 et 7, mais cette fois le dernier bâtonnet fait gagner.",
      ],
      nim: ["Nim", "Jusqu’à cinq lignes de 31 bâtonnets au plus. Le dernier bâtonnet fait gagner."],
      "nim-misere": [
        "Nim, le dernier fait perdre",
        "Jusqu’à cinq lignes de 31 bâtonnets au plus, et le dernier bâtonnet fait perdre.",
      ],
      wythoff: ["La dame au coin", "Prends sur une ligne, ou le même nombre sur les deux : le jeu de Wythoff."],
      subtraction: ["Un, trois ou quatre", "Prends 1, 3 ou 4 bâtonnets sur une seule ligne, et aucun autre nombre."],
      moore: ["Deux lignes à la fois", "Prends sur une ligne ou sur deux, autant que tu veux : le jeu de Moore."],
      "nim-pass": [
        "Nim, passer une fois",
        "Une seule fois, l’un de vous deux peut ne rien prendre. Personne ne connaît de formule pour ce jeu.",
      ],
      expanding: [
        "Nim croissant",
        "Plus on a pris d’un coup, plus on pourra prendre ensuite ; les réductions abaissent de nouveau la limite.",
      ],
      "expanding-misere": [
        "Nim croissant, la dernière fait perdre",
        "Comme le Nim croissant, mais la dernière pierre fait perdre.",
      ],
      "expanding-growth-2": ["Nim croissant, plus rapide", "La limite augmente de deux au lieu d’un."],
      "expanding-resets-1": ["Nim croissant, une seule réduction", "Chaque joueur n’a qu’une réduction."],
    }),
    variants: (n) => `${n} ${n === 1 ? "variante" : "variantes"}`,
    lessons: [
      "Apprendre à gagner",
      "Dix courtes étapes, du miroir aux nombres binaires\u00a0: ensuite, aucune position gagnée de Nim ne t’échappera plus.",
    ],
    match: [
      "Une partie ailleurs",
      "Tu joues au Nim croissant à une autre table\u202f? Tape ce que prend l’adversaire\u00a0: tu reçois ton meilleur coup.",
    ],
    levels: { 1: "facile", 2: "moyen", 3: "difficile" },
    formula: "formule connue",
    noFormula: "pas de formule connue",
    opened: (name) => `Table ouverte : ${name}. Elle reste dans la galerie tant que la page est ouverte.`,
    digest: (digest) => `Empreinte ${digest}`,
    resume: (name) => `Reprendre : ${name}`,
  },

  seat: {
    line: (opponent, side) => [opponent, side].filter(Boolean).join(" · "),
    sides: { 1: "tu commences", 2: "l’ordinateur commence" },
  },

  own: {
    title: "Tes propres règles",
    bad: (label, typed, allowed) => `${label} : ${typed && `« ${typed} » est impossible ; `}écris ${allowed}.`,
    whole: (many, from, to) =>
      `${many === 1 ? "un nombre entier" : `jusqu’à ${many} nombres entiers`} de ${number(from)} à ${number(to)}`,
    takes: (most) =>
      `des nombres entiers de 1 à ${number(most)} ou des intervalles, par exemple 1, 3, 4 ou 1-3 ; ou rien, pour autant qu’on veut`,
    fewer: "moins de nombres, ou tous à partir de 1, par exemple 1-3",
    game: "Jeu",
    games: { heaps: "des lignes de bâtonnets", expanding: "un tas, comme au Nim croissant" },
    whoWins: "Prendre le dernier",
    last: { normal: "fait gagner", misere: "fait perdre" },
    heaps: "Bâtonnets de chaque ligne",
    take: "Un coup prend (vide : autant qu’on veut ; ou 1-3, ou 1, 3, 4)",
    passes: "Fois où l’on peut passer",
    stones: "Pierres",
    growth: "La limite augmente de",
    resets: "Réductions de chaque joueur",
    play: "Jouer",
  },

  challenge: {
    none: "Aucune position gagnante n’a été trouvée. Réessaie, ou choisis un autre jeu.",
    about:
      "Des positions gagnantes de ce jeu : chaque fois, il y a un coup gagnant à trouver. Combien peux-tu en trouver d’affilée ?",
    begin: "Commencer",
    next: "Suivante",
    task: "Cette position est gagnante. Trouve un coup qui gagne.",
    right: (streak) => `Bravo ! ${streak === 1 ? "Un coup trouvé" : `${streak} coups trouvés d’affilée`}.`,
    help: (buttons) => `Ta série s’arrête si tu te fais aider (${buttons.join(", ")}) ou si tu passes une position.`,
    helpTaken: "Tu t’es fait aider : cette position ne compte pas, et la série repart de zéro.",
    helped: "Bravo, mais avec de l’aide.",
    wrong: "La victoire t’échappe.",
    better: (move) => `Un coup gagnant était de ${move}. La série repart de zéro.`,
    best: (n) => `Ta plus longue série : ${n}.`,
  },

  learn: {
    step: (n, title, done) => `Étape ${n} : ${title}${done ? ", réussie" : ""}`,
    first: "Celui qui commence",
    second: "L’autre",
    right: "C’est juste.",
    wrong: "Eh non.",
    play: (position) => `Jouer à partir de ${position} : tu commences`,
    next: "Étape suivante",
    done: "Réussi ! Tu as gagné contre l’ordinateur, qui joue parfaitement.",
    allDone:
      "Réussi, et tout le parcours avec : tu sais maintenant gagner à partir de toutes les positions gagnantes de Nim.",
    columns: "Les lignes en binaire",
    parity: "nombre de 1",
    odd: "impair",
    even: "pair",
    chapters: ["Premières astuces", "Nombres binaires", "D’autres jeux"],
    guess: "Qui peut forcer la victoire ?",
    steps: {
      mirror: {
        title: "le miroir",
        text: "Le dernier bâtonnet fait gagner. Voici deux lignes de 4.",
        because:
          "Celui qui joue en second prend sur l’autre ligne autant que le premier vient de prendre : les lignes sont de nouveau égales, et à la fin toutes deux sont vides.",
        task: "À toi : rends deux lignes égales, puis copie tout ce que fait l’ordinateur.",
      },
      three: {
        title: "1, 2, 3",
        text: "Trois lignes de 1, 2 et 3 ; le dernier bâtonnet fait gagner.",
        because:
          "Quoi que prenne le premier, le second peut laisser deux lignes égales : 1, 2, 3 est perdante pour celui qui doit jouer.",
        task: "Laisse 1, 2, 3 à l’ordinateur, et continue à partir de là.",
      },
      fours: {
        title: "les multiples de quatre",
        text: "Une ligne de 8 bâtonnets. Un coup en prend 1, 2 ou 3 ; le dernier bâtonnet fait gagner.",
        because:
          "Quoi que prenne le premier, le second peut compléter à 4 : il en reste 4, puis aucun. Une ligne est perdante quand 4 divise son nombre de bâtonnets.",
        task: "Laisse chaque fois à l’ordinateur un multiple de 4.",
      },
      last: {
        title: "21 bâtonnets",
        text: "Les mêmes coups, mais maintenant celui qui prend le dernier bâtonnet perd. Une ligne de 9.",
        because:
          "Il faut maintenant laisser un multiple de 4 plus un : 1, 5, 9, 13, 17 ou 21. Celui qui doit jouer à partir de là finira par prendre le dernier bâtonnet.",
        task: "Il reste ici 20 des 21 bâtonnets. Laisse un multiple de 4 plus un.",
      },
      binary: {
        title: "les 1 en colonnes",
        text: "Écris chaque ligne en binaire, avec des colonnes pour 4, 2 et 1, et regarde ces colonnes. Ici, 3, c’est 2 et 1 ; 5, c’est 4 et 1 ; 6, c’est 4 et 2.",
        because:
          "Chaque colonne contient un nombre pair de 1 (on dit qu’elle est paire) : la somme de Nim est 0. Tout coup change une ligne, et rend donc une colonne impaire ; et la réponse peut rendre de nouveau toutes les colonnes paires.",
        task: "Trouve la ligne que tu peux changer pour que toutes les colonnes deviennent paires.",
      },
      odd: {
        title: "la colonne impaire",
        text: "Des lignes de 3, 5 et 7 ; le dernier bâtonnet fait gagner.",
        because:
          "La dernière colonne contient trois 1 : elle est impaire. Regarde la colonne impaire la plus à gauche, choisis une ligne qui y a un 1, et inverse les chiffres de cette ligne dans toutes les colonnes impaires : tu obtiens le nombre de bâtonnets à y laisser.",
        task: "Fais de même ici.",
      },
      sum: {
        title: "la somme de Nim",
        text: "La somme de Nim a un 1 pour chaque colonne impaire, et un 0 pour chaque colonne paire. Des lignes de 1, 2, 4 et 6 ; le dernier bâtonnet fait gagner.",
        because:
          "Seule la dernière colonne est impaire : la somme de Nim est 1, et non 0. Calcule pour chaque ligne sa somme de Nim avec ce 1 : c’est ce qu’il faudrait y laisser. Cela ne va que si la ligne raccourcit : 1 devient 0, mais 2, 4 et 6 grandiraient.",
        task: "Calcule d’abord la somme de Nim ; une seule ligne peut alors raccourcir.",
      },
      misere: {
        title: "quand le dernier fait perdre",
        text: "Maintenant, celui qui prend le dernier bâtonnet perd : c’est le jeu misère. Voici trois lignes de 1.",
        because:
          "Chaque coup vide une ligne, et la troisième est la dernière : c’est au premier joueur de la prendre. Au Nim misère, joue comme au Nim, jusqu’au moment où un coup ne laisse que des lignes d’un bâtonnet ; laisse alors un nombre impair de ces lignes.",
        task: "Laisse un nombre impair de lignes d’un bâtonnet.",
      },
      queen: {
        title: "la dame",
        text: "Une dame va vers la gauche, vers le bas ou en diagonale, et celui qui l’amène au coin gagne. Elle est en 1, 2.",
        because:
          "De chaque case qu’elle atteint, le coup suivant mène au coin : 1, 2 est perdante. Viennent ensuite 3, 5 et 4, 7 : chaque fois le plus petit nombre encore absent, et un écart qui augmente de un.",
        task: "Amène chaque fois la dame sur une case perdante.",
      },
      table: {
        title: "pas de formule",
        text: "Nim croissant : un coup prend au plus une pierre de plus que le plus grand coup jusque-là, mais toujours jusqu’à 3 ; la dernière pierre fait gagner. Il reste 8 pierres.",
        because:
          "Personne ne connaît de formule pour ce jeu. Mais en partant de la fin, on peut calculer chaque position et l’écrire dans une table. Elle dit qu’à chaque coup depuis 8, il y a une réponse gagnante.",
        task: "Voici 10 pierres. Appuie sur « Montre-moi », et joue d’après la table.",
      },
    },
  },

  assignment: {
    goals: {
      "win-1": "Gagne une fois",
      "win-3": "Gagne 3 parties",
      "win-5": "Gagne 5 parties",
      find: "Trouve le coup gagnant",
    },
    progress: (n, of) => `${n} sur ${of}`,
    reached: "Objectif atteint.",
    name: "Ton nom, si tu veux",
    copy: "Copier le résultat",
    copied: "Résultat copié.",
    games: (won, games) => `${count(won, "partie gagnée", "parties gagnées")} sur ${games}`,
    tries: (n) => `trouvé à l’essai ${n}`,
    noHints: "sans aide",
    make: "Comme devoir",
    about: "Il commence à la position du plateau. Celui qui l’ouvre joue le côté qui peut gagner.",
    goal: "Objectif",
    hints: "Aide permise",
    link: "Copier l’adresse du devoir",
  },

  transcript: {
    player: (who) =>
      ({ you: "toi", table: "l’ordinateur", opponent: "adversaire", first: "premier", second: "second" })[who],
    game: (n, players) => `Partie ${n} : ${players}`,
  },

  share: {
    scan: "Pour la classe : scannez ce code, ou tapez l’adresse.",
    code: (address) => `Code QR de ${address}`,
  },

  sheet: {
    named: ["Nom :", "Date :"],
    moves: "Dans chacune de ces positions, celui qui doit jouer peut gagner. Trouve un coup gagnant.",
    move: "Coup gagnant :",
    table: "Commence par les plus petits nombres. Colorie chaque case d’où perd celui qui doit jouer.",
    fixed: (position) => `Tout le reste est comme dans ${position}.`,
    notice: "Que remarques-tu ?",
    solutions: (name) => `Solutions : ${name}`,
    solution: ({ outcome, winning, moves }) => {
      if (outcome === "loss") return "Le second joueur gagne : chaque coup mène à une position gagnante pour lui.";
      const said = moves.filter(({ move }) => winning.includes(move)).map(({ takes, reset }) => take(takes, reset));
      return `Le premier joueur gagne : ${said.slice(0, 5).join(" ; ou ")}${said.length > 5 ? " ; et d’autres coups" : ""}.`;
    },
    lost: (name) => `Positions perdantes : ${name}`,
    lostFrom: (position, n) =>
      `Celui qui doit jouer dans l’une de ces positions (il y en a ${number(n)}) perd contre un jeu parfait. Ce sont toutes celles que l’on peut rencontrer à partir de ${position} ; les mêmes lignes dans un autre ordre ne sont pas répétées.`,
    lostPlane: (position, axes, n) =>
      `Autour de ${position}, ${n === 1 ? "cette position est perdante" : `ces ${number(n)} positions sont perdantes`} pour celui qui doit jouer (${axes}) ; tout le reste est comme dans ${position}.`,
  },

  terms: /** @type {Record<string, string>} */ ({
    coups: "Un coup, c’est ce que joue un seul joueur à son tour : on compte les coups des deux joueurs.",
    "jeu misère": "Au jeu misère, celui qui prend le dernier bâtonnet perd.",
    "nim misère": "Au jeu misère, celui qui prend le dernier bâtonnet perd.",
    "somme de nim":
      "La somme de Nim : écris les lignes en binaire, l’une sous l’autre. Là où une colonne contient un nombre impair de 1, la somme de Nim a un 1, ailleurs un 0.",
  }),
};
