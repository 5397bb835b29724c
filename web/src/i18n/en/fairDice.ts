/** Texts about fair dice: explanations, results of a check, mismatches this browser saw. */

export const fairDiceText = {
  title: "Fair dice",
  about:
    "Every throw is made from a part of the table and a part of each player’s browser. All were fixed by fingerprints before the first throw, except a word that whoever acts gives along with the choice. So nobody foresees a throw unless all work together, and this page can work each one out again.",
  fingerprint: "Fingerprint of the table:",
  check: "Check every throw so far",
  seeded: "The dice of this game come from a seed or a written position. Whoever knows it can foresee them.",
  fits: "Everything that was checked fits.",
  wrong: "Something does not fit: these dice cannot be trusted.",
  noCheck: "The check could not be made.",

  // a missing contribution
  yourOther: "The dice wait for a part that another browser of yours holds; the other player can go on without it.",
  waits: (who: string): string => `The dice wait for the part of ${who}’s browser.`,
  without: "Throw without it",

  // results of a check
  samePrint: "The table’s fingerprint is the one this page saw at first.",
  follow: (numbers: number, throws: number): string =>
    `All ${numbers} tosses, draws and rolls of ${throws} throws follow from the parts given to them.`,
  other: (n: number): string => `Throw ${n} is not what this browser was shown.`,
  same: (shown: number, of: number): string =>
    `${shown} of the ${of} throws were shown to this browser, and they are the same.`,
  sawNone:
    "This browser saw none of them being thrown; whether they are the ones that were shown, only one that was there can say.",
  isWrong: (what: string): string => `Something is wrong: ${what}.`,
  unreadable: "it cannot be read",
  newChain: (since: number, seats: string[]): string =>
    `From throw ${since} on ${seats.join(" and ")} had a new chain: another device, or the old one was lost.`,
  ownPart: (seats: string[]): string =>
    `${seats.join(" and ")} had a part of ${seats.length > 1 ? "their" : "its"} own, from one browser.`,
  bot: (seat: string, player: string): string =>
    `${seat} was the table’s player '${player}': what it did is the table’s part.`,
  alone: "Nobody but the table had a part, so the table could foresee every throw.",
  missing: (seat: string, throws: number[]): string =>
    `${seat}’s part is missing in ${throws.length} throws: ${throws.join(", ")}.`,
  undone: (n: number): string => `${n} choices were taken back; the list has them too.`,

  // failures of a check
  not: {
    chains: "these dice were not thrown from chains",
    table: "the table",
    anchor: (whose: string): string => `the links of ${whose} do not lead to its anchor`,
    throwPlace: (n: number): string => `throw ${n} is not in its place`,
    word: (n: number): string => `throw ${n} has not the word of the one who acts`,
    nobody: (n: number): string => `throw ${n} misses nobody it names`,
    parts: (n: number): string => `throw ${n} has not the parts it needs`,
    link: (n: number, name: string): string => `throw ${n} has not ${name}’s next link`,
    choicePlace: (n: number): string => `choice ${n} is not in its place`,
    otherThrow: (n: number): string => `choice ${n} has another choice’s throw`,
    noThrow: (n: number): string => `choice ${n} has dice of no throw`,
    follow: (n: number, what: string): string => `choice ${n}, ${what}: it does not follow from the parts`,
    back: "too much was taken back",
    nothing: "there is nothing to check",
    tooMuch: "more was told than there are throws for",
  },

  // mismatches this browser saw
  saw: {
    print: "The table has changed the fingerprint it had published.",
    early: (n: number): string =>
      `The table asked for a part it must not have yet, or for two different choices (throw ${n}).`,
    noThrow: "Dice fell that are of no throw.",
    otherChoice: (n: number): string => `Throw ${n} is for another choice than this browser gave its part for.`,
    noWord: (n: number): string => `Throw ${n} is without the word this browser gave.`,
    before: (n: number): string => `Throw ${n} was shown for another choice before.`,
    withoutYou: "The dice fell without your browser’s part.",
  },
};
