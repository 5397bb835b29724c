/** Teams: ready ones, the player's own in this browser, links to them, and the server's report on a team. */

import { requestJson } from "../../api/client";
import type { TeamReport, TeamCatalog, TeamData, TrialResult, TrialRequest } from "../../api/protocol";

let known: Promise<TeamCatalog> | null = null;

/** Return the ready teams and the formats. They are requested once. */
export function getTeams(): Promise<TeamCatalog> {
  known ??= requestJson<TeamCatalog>("/teams").catch((problem: unknown) => {
    known = null;
    throw problem;
  });
  return known;
}

/** Have the server check a team, given as a code, as a ready team's name or in full. The report lists all problems. */
export const checkTeam = (text: string): Promise<TeamReport> => requestJson("/teams/check", { text });

export const tryTeam = (asked: TrialRequest): Promise<TrialResult> => requestJson("/teams/try", asked);

/** A team as stored in this browser. */
export interface OwnTeam extends TeamData {
  id: string;
  when: number;
}

const KEY = "dicemasters teams";
const MOST = 200;

/** List the player's own teams, latest first. */
export function ownTeams(): OwnTeam[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]") as OwnTeam[];
    return Array.isArray(found)
      ? found.filter((team) => Array.isArray(team?.cards) && Array.isArray(team.basics)).sort((x, y) => y.when - x.when)
      : [];
  } catch {
    return []; // storage disabled, or written by other code
  }
}

export function saveTeam(team: OwnTeam): void {
  keep([team, ...ownTeams().filter((one) => one.id !== team.id)].slice(0, MOST));
}

export function forgetTeam(id: string): void {
  keep(ownTeams().filter((one) => one.id !== id));
}

function keep(teams: OwnTeam[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(teams));
  } catch {
    // storage disabled or full: the link still holds the team
  }
}

/** Return the path that opens a team: its code, followed by its name. */
export const teamPath = (team: { code: string; name: string }, page: "team" | "sheet" = "team"): string =>
  `/${page}#${team.code}${team.name ? `~${encodeURIComponent(team.name)}` : ""}`;

/** Parse the fragment of a URL that names a team. */
export function parseTeamHash(hash: string): { code: string; name: string } {
  const [code = "", name = ""] = hash.split("~", 2);
  try {
    return { code, name: decodeURIComponent(name).slice(0, 100) };
  } catch {
    return { code, name: "" };
  }
}

/** Return a team in the server's text format, with its cards by key. */
export function teamText(team: Pick<TeamData, "name" | "about" | "format" | "cards" | "basics">): string {
  const line = (text: string): string => text.replace(/\s+/g, " ").trim();
  const heads = [
    line(team.name) && `name: ${line(team.name)}`,
    `format: ${team.format}`,
    line(team.about) && `about: ${line(team.about)}`,
  ];
  const cards = team.cards.map((card) => `${card.dice}x ${card.key}`);
  return [...heads, ...cards, ...team.basics.map((key) => `basic: ${key}`)].filter(Boolean).join("\n") + "\n";
}

/** Count dice by cost, from 2 or less to 7 or more, and by energy. */
export function costCurve(
  cards: readonly { cost: number; energy: string; dice: number }[],
): { cost: string; total: number; parts: [energy: string, dice: number][] }[] {
  return [2, 3, 4, 5, 6, 7].map((cost) => {
    const here = cards.filter((card) => Math.min(7, Math.max(2, card.cost)) === cost);
    const parts = [...new Set(here.map((card) => card.energy))].map((energy): [string, number] => [
      energy,
      here.filter((c) => c.energy === energy).reduce((n, c) => n + c.dice, 0),
    ]);
    return {
      cost: cost === 7 ? "7+" : String(cost),
      total: parts.reduce((n, [, dice]) => n + dice, 0),
      parts: parts.sort((x, y) => "FBMS".indexOf(x[0]) - "FBMS".indexOf(y[0])),
    };
  });
}

/** Return the 95 % confidence interval of a share (Wilson). */
export function confidenceInterval(hits: number, of: number): [low: number, high: number] {
  if (!of) return [0, 1];
  const z = 1.96;
  const share = hits / of;
  const middle = share + (z * z) / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return [(middle - half) / (1 + (z * z) / of), (middle + half) / (1 + (z * z) / of)];
}
