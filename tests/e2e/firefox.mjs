// Plays a story in Firefox over WebDriver BiDi: `node firefox.mjs FIREFOX ADDRESS STORY` prints "ok" at its end.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [firefox, home, story] = process.argv.slice(2);
const found = createRequire(new URL("../../web/package.json", import.meta.url)).resolve("puppeteer-core");
const { default: puppeteer } = await import(pathToFileURL(found).href);

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: firefox,
  headless: true,
  defaultViewport: null, // cannot be set over BiDi
  args: ["--width=1440", "--height=900"],
  protocolTimeout: 120_000,
});
const page = await browser.newPage();
page.setDefaultTimeout(60_000);
const wrong = [];
page.on("pageerror", (error) => wrong.push(String(error)));

/** Poll a condition on the page. Puppeteer's own waiting evaluates strings, which the page's security policy forbids. */
async function until(condition, ...args) {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const answer = await page.evaluate(condition, ...args);
    if (answer) return;
    await new Promise((done) => setTimeout(done, 30));
  }
  throw new Error(`condition never held: ${condition} ${args.join(" ")}`);
}

const seen = (selector) => until((selector) => document.querySelector(selector) !== null, selector);

/** Wait for an element of a selector that contains these words, and click it in the same evaluation. */
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

/** Fill a field as if typing. */
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

/** Select an option of the list with this label. */
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
async function finishLesson() {
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

/** Make one decision: sometimes buy, otherwise proceed. Returns whether the game continues. */
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

async function finishGame() {
  for (let n = 0; n < 400; n++) if (!(await decide(n))) return;
  throw new Error("the game does not end");
}

const focused = () => page.evaluate(() => document.activeElement.textContent.trim());

/** Press Tab until the focused element has one of these texts. */
async function tabTo(...words) {
  for (let n = 0; n < 80; n++) {
    const at = await focused();
    if (words.some((one) => at === one)) return at;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not lead to ${words.join(", ")}`);
}

const STORIES = {
  /** Start page, a wrong answer, the whole lesson, a whole first game. */
  async newcomer() {
    await click("a", "Learn in 5 minutes");
    await heading("Four dice a turn");
    await click(".bar button", "Keep all");
    await seen(".bubble.wrong");
    await click(".bubble button", "Show me");
    await seen(".bubble.praise");
    await click(".bubble button", "Next");
    await heading("Energy is money");
    await finishLesson();
    await click("button", "Play your first game");
    await finishGame();
    await seen(".finale .chart svg");
  },
  /** By keyboard: a step of the lesson, then two turns against the easy opponent. */
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
      const highlighted = await page.$(".bar.mine .button:is(.main, .hit):enabled");
      const ends = await page.$(".bar.mine .flow .first .button:enabled"); // no attack possible, but a purchase
      await page.keyboard.press(lit ? "1" : highlighted ? "Enter" : ends ? "e" : "n");
      await until((v) => document.querySelector(".table").dataset.version !== v || document.activeElement.dataset.spot !== undefined, version);
      if (await page.evaluate(() => Boolean(document.activeElement.dataset.lit))) await page.keyboard.press("Enter");
    }
    throw new Error("two turns could not be played by keyboard");
  },
  /** Find and read a card, add it to a team, solve a puzzle. */
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
  /** Three picks of a draft with a bot, and a few decisions of a doubles game. */
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
