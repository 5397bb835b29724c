/** Texts of a page without a server (docs/site.md). */

export const offlineText = {
  broken: "The game’s program has stopped; what was stored is still there.",
  notLoaded:
    "The game’s program could not be fetched. Without a network it can be used after the first visit with one.",
  mistake: "The game’s program has made a mistake, and nothing was done.",
  tooLong: "This takes too long.",
  loading: "Fetching the game’s program, once",
  starting: "Starting the game’s program",
  can: "Everything runs in this browser: play programs or each other at this screen, learn, solve puzzles, draft with bots, replay. For a friend elsewhere it takes a server.",
  offline: "It is all here now, and works without a network.",
  noLink: "A friend elsewhere needs a server, and this page has none. Both of you can play at this screen.",
  draftLead: "Make teams from the same packs or stacks as the bots in the other chairs, and then play them.",
  draftNeeds:
    "Here you draft with bots. To draft with friends on other devices takes a server, and this page has none.",
  ways: {
    friend: ["Play a friend", "Both of you at this screen."],
    draft: ["Draft", "Make teams from packs, with bots."],
  } as Record<string, [string, string]>,
  dice: "Here the table’s part and the players’ parts are all made by this browser. So the check shows that nothing was changed afterwards; it cannot show that nobody knew the dice.",
  kept: "Games are kept in this browser only. Save the records of those you want to keep.",
};
