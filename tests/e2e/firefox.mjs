// Somebody with Firefox: the start page, two steps of the lesson, the first decisions of a game. Says "ok" at the end.
// node firefox.mjs <firefox> <address>; puppeteer-core drives it over WebDriver BiDi.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [firefox, home] = process.argv.slice(2);
const found = createRequire(new URL("../../web/package.json", import.meta.url)).resolve("puppeteer-core");
const { default: puppeteer } = await import(pathToFileURL(found).href);
const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true, defaultViewport: null, args: ["--width=1440", "--height=900"] });
const wrong = [];
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (e) => wrong.push(String(e)));
  await page.goto(home);
  await page.evaluate(() => localStorage.setItem("dicemasters settings", JSON.stringify({ speed: "at once", hurry: true, name: "Fox" })));
  const press = async (selector, words) => {
    await page.waitForFunction((s, w) => [...document.querySelectorAll(s)].some((e) => e.textContent.includes(w)), {}, selector, words);
    await page.evaluate((s, w) => [...document.querySelectorAll(s)].find((e) => e.textContent.includes(w)).click(), selector, words);
  };
  await page.goto(`${home}/`);
  await press("a", "Learn in 5 minutes");
  await page.waitForSelector(".bubble");
  await press(".bar button", "Keep all");
  await page.waitForSelector(".bubble.wrong");
  await press(".bubble button", "Show me");
  await page.waitForSelector(".bubble.praise");
  await press(".bubble button", "Next");
  await page.waitForFunction(() => document.querySelector(".bubble h2")?.textContent === "Energy is money");
  await page.goto(`${home}/`);
  await press("button", "Play now");
  await page.waitForSelector(".bar.mine");
  for (let n = 0; n < 4; n++) {
    const version = await page.$eval(".table", (e) => e.dataset.version);
    await page.evaluate(() => [...document.querySelectorAll(".bar.mine .flow button:enabled, .bar.mine .acts button:enabled")].at(-1)?.click());
    await page.waitForFunction((v) => document.querySelector(".table").dataset.version !== v, {}, version);
    await page.waitForSelector(".bar.mine, .finale");
  }
  if (wrong.length) throw new Error(wrong.join("\n"));
  console.log("ok");
} finally {
  await browser.close();
}
