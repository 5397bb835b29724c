// Somebody with Firefox, driven over WebDriver BiDi: node firefox.mjs FIREFOX ADDRESS STORY. Says "ok" at the end of the story.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [firefox, home, story] = process.argv.slice(2);
const found = createRequire(new URL("../../web/package.json", import.meta.url)).resolve("puppeteer-core");
const { default: puppeteer } = await import(pathToFileURL(found).href);

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: firefox,
  headless: true,
  defaultViewport: null, // it cannot be set over BiDi
  args: ["--width=1440", "--height=900"],
  protocolTimeout: 120_000,
});
const page = await browser.newPage();
page.setDefaultTimeout(60_000);
const wrong = [];
page.on("pageerror", (error) => wrong.push(String(error)));

/** Ask the page until it says yes. puppeteer's own waiting makes functions out of texts, which the page's policy forbids. */
async function until(asked, ...given) {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const answer = await page.evaluate(asked, ...given);
    if (answer) return;
    await new Promise((done) => setTimeout(done, 30));
  }
  throw new Error(`this did not come: ${asked} ${given.join(" ")}`);
}

const seen = (selector) => until((selector) => document.querySelector(selector) !== null, selector);

/** Wait for something among the elements of a selector that says these words, and click it at the same moment. */
async function click(selector, words = "") {
  await until(
    (selector, words) => {
      const element = [...document.querySelectorAll(selector)].find((e) => e.textContent.includes(words));
      element?.click();
      return element !== undefined;
    },
    selector,
    words,
  );
}

/** Write into a field as somebody who types. */
async function write(selector, words) {
  await seen(selector);
  await page.evaluate(
    (selector, words) => {
      const field = document.querySelector(selector);
      field.value = words;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    },
    selector,
    words,
  );
}

/** Choose from the list that has this label. */
async function choose(label, value) {
  await until(
    (label, value) => {
      const list = [...document.querySelectorAll("label")].find((e) => e.textContent.trim().startsWith(label))?.control;
      if (!list?.options || ![...list.options].some((one) => one.value === value)) return false;
      list.value = value;
      list.dispatchEvent(new Event("change", { bubbles: true }));
      return true;
    },
    label,
    value,
  );
}

const heading = (words) => until((words) => document.querySelector(".bubble h2")?.textContent === words, words);
const settle = () => seen(".bar.mine, .finale");

/** Let the coach show every step until the lesson is over. */
async function throughTheLesson() {
  for (let n = 0; n < 80; n++) {
    await seen("main.over, .bubble .button:enabled");
    const before = await page.evaluate(() => {
      const bubble = document.querySelector(".bubble");
      if (!bubble) return null;
      const before = bubble.innerText + document.querySelector(".table").dataset.version;
      [...bubble.querySelectorAll(".button")].at(-1).click();
      return before;
    });
    if (before === null && (await page.$("main.over"))) return;
    await until(
      (before) => {
        const bubble = document.querySelector(".bubble");
        return document.querySelector("main.over") !== null || !bubble || bubble.innerText + document.querySelector(".table").dataset.version !== before;
      },
      before,
    );
  }
  throw new Error("the lesson does not end");
}

/** Decide once: choose what is lit now and then, else go on. Tells whether the game goes on. */
async function decide(n) {
  await settle();
  const before = await page.evaluate((n) => {
    if (document.querySelector(".finale")) return null;
    const before = document.querySelector(".table").dataset.version + document.querySelector(".stage").innerText;
    const first = (...selectors) => selectors.map((s) => [...document.querySelectorAll(s)].at(-1)).find(Boolean);
    const buy = n % 3 ? null : document.querySelector(".stage .opt.on [data-spot^=option]");
    (buy ?? first(".stage .menu .button", ".bar.mine .button:is(.main, .hit):enabled", ".bar.mine .flow .button:enabled", ".bar.mine .acts .button:enabled", ".stage .answers .button", ".play [data-lit]")).click();
    return before;
  }, n);
  if (before === null) return false;
  await until(
    (before) => document.querySelector(".finale") !== null || document.querySelector(".table").dataset.version + document.querySelector(".stage").innerText !== before,
    before,
  );
  return true;
}

async function throughTheGame() {
  for (let n = 0; n < 400; n++) if (!(await decide(n))) return;
  throw new Error("the game does not end");
}

const focused = () => page.evaluate(() => document.activeElement.textContent.trim());

/** Go by the Tab key until the focus is on something that says one of these words. */
async function tabTo(...words) {
  for (let n = 0; n < 80; n++) {
    const at = await focused();
    if (words.some((one) => at === one)) return at;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not lead to ${words.join(", ")}`);
}

const STORIES = {
  /** The start page, a wrong try, the lesson to its end, the first game to its end. */
  async newcomer() {
    await click("a", "Learn in 5 minutes");
    await heading("Four dice a turn");
    await click(".bar button", "Keep all");
    await seen(".bubble.wrong");
    await click(".bubble button", "Show me");
    await seen(".bubble.praise");
    await click(".bubble button", "Next");
    await heading("Energy is money");
    await throughTheLesson();
    await click("button", "Play your first game");
    await throughTheGame();
    await seen(".finale .chart svg");
  },
  /** The same ways with keys alone: a step of the lesson, then two turns against the easy opponent. */
  async keyboard() {
    await tabTo("Learn in 5 minutes");
    await page.keyboard.press("Enter");
    await heading("Four dice a turn");
    await tabTo("Show me");
    await page.keyboard.press("Enter");
    await seen(".bubble.praise");
    await tabTo("Next");
    await page.keyboard.press("Enter");
    await heading("Energy is money");
    await page.goto(`${home}/`);
    await seen("main button");
    await tabTo("Play now");
    await page.keyboard.press("Enter");
    for (let n = 0; n < 60; n++) {
      await settle();
      const [turn, version, lit] = await page.evaluate(() => [
        Number(/\d+/.exec(document.querySelector("h1").textContent)?.[0] ?? 0),
        document.querySelector(".table").dataset.version,
        document.querySelector(".stage .menu, .stage .answers") !== null,
      ]);
      if (turn >= 3) return;
      const yellow = await page.$(".bar.mine .button:is(.main, .hit):enabled");
      const ends = await page.$(".bar.mine .flow .first .button:enabled"); // nobody can attack, but something could be bought
      await page.keyboard.press(lit ? "1" : yellow ? "Enter" : ends ? "e" : "n");
      await until((v) => document.querySelector(".table").dataset.version !== v || document.activeElement.dataset.spot !== undefined, version);
      if (await page.evaluate(() => Boolean(document.activeElement.dataset.lit))) await page.keyboard.press("Enter");
    }
    throw new Error("the keys do not lead through two turns");
  },
  /** A card is found and read, taken into a team that is tried, and a puzzle is solved. */
  async workshop() {
    await page.goto(`${home}/cards`);
    await seen(".tiles a");
    await write("input[type=search]", "title:angel set:uxm");
    await until(() => [...document.querySelectorAll(".tiles a")].every((e) => e.textContent.includes("Angel")));
    await click(".tiles a");
    await seen(".lcard .die");
    await click("a", "Build a team with it");
    await seen("li[data-card]");
    await write("input[type=search]", "title:hulk");
    await until(() => [...document.querySelectorAll(".tiles .tile")].every((e) => e.textContent.includes("Hulk")));
    await click(".tiles .add");
    await until(() => document.querySelectorAll("li[data-card]").length === 2);
    await until(() => document.querySelector(".legal .bad") !== null);
    await page.goto(`${home}/puzzles`);
    await click("li a[href='/puzzles/84']");
    await settle();
    await click(".near .reserve [data-lit]");
    await seen(".near .field [data-die]");
    await click(".bar.mine .flow .last .button:enabled");
    await until(() => document.querySelector(".question")?.textContent === "Who attacks?");
    await click(".near .field [data-lit]");
    await click(".bar.mine .button.main:enabled", "Attack with 1");
    for (let n = 0; n < 5; n++) {
      await seen("main.over, .bar.mine");
      if (await page.$("main.over")) break;
      await click(".bar.mine .flow .last .button:enabled");
      await seen("main.over, .bar:not(.mine)");
    }
    await until(() => document.querySelector("main.over")?.textContent.includes("Solved"));
  },
  /** A draft with a bot until there is a hand of cards to build from, and a few decisions in a game of two against two. */
  async together() {
    await page.goto(`${home}/draft`);
    await seen("input[type=checkbox]");
    await choose("Drafters", "2");
    await click("button:enabled", "Open the draft");
    for (let n = 1; n <= 3; n++) {
      await click("button.tile");
      await click(".deed .button.main:enabled");
      await until((n) => [...document.querySelectorAll("section h2")].some((e) => e.textContent.includes(`Your cards · ${n}`)), n);
    }
    await page.goto(`${home}/new#doubles`);
    await seen("form select");
    await choose("Your partner", "simple");
    await click("button:enabled", "Open the table");
    await seen(".table.four .bar.mine");
    for (let n = 0; n < 6; n++) await decide(n);
    await until(() => document.querySelectorAll(".side").length === 4);
  },
};

let good = false;
try {
  await page.goto(home);
  await page.evaluate(() => localStorage.setItem("dicemasters settings", JSON.stringify({ speed: "at once", hurry: true, name: "Fox" })));
  await page.goto(`${home}/`);
  await seen("main button");
  await STORIES[story]();
  if (wrong.length) throw new Error(wrong.join("\n"));
  good = true;
} finally {
  if (!good) console.error(await page.evaluate(() => `${location.href}\n${document.body.innerText}`).catch(() => "the page is gone"));
  await browser.close();
}
console.log("ok");
