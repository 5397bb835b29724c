/** Teams: the ready ones, one's own in this browser, links to them, and what the server says of one. */

import { requestJson } from "../../api/client";
import type { TeamReport, TeamCatalog, TeamData, TrialResult, TrialRequest } from "../../api/protocol";

let known: Promise<TeamCatalog> | null = null;

/** Give the ready teams and the formats, asked for once. */
export function getTeams(): Promise<TeamCatalog> {
  known ??= requestJson<TeamCatalog>("/teams").catch((problem: unknown) => {
    known = null;
    throw problem;
  });
  return known;
}

/** Read a team that is a code, a ready team's name or written out, and say all that is wrong with it. */
export const checkTeam = (text: string): Promise<TeamReport> => requestJson("/teams/check", { text });

export const tryTeam = (asked: TrialRequest): Promise<TrialResult> => requestJson("/teams/try", asked);

/** A team as this browser keeps it. */
export interface OwnTeam extends TeamData {
  id: string;
  when: number;
}

const KEY = "dicemasters teams";
const MOST = 200;

/** List one's own teams, the latest first. */
export function ownTeams(): OwnTeam[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]") as OwnTeam[];
    return Array.isArray(found)
      ? found.filter((team) => Array.isArray(team?.cards) && Array.isArray(team.basics)).sort((x, y) => y.when - x.when)
      : [];
  } catch {
    return []; // storage switched off, or written by something else
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
    // storage switched off or full: the link still holds the team
  }
}

/** Give the address that opens a team: its code, and its name behind it. */
export const teamPath = (team: { code: string; name: string }, page: "team" | "sheet" = "team"): string =>
  `/${page}#${team.code}${team.name ? `~${encodeURIComponent(team.name)}` : ""}`;

/** Read the part of an address that names a team. */
export function parseTeamHash(hash: string): { code: string; name: string } {
  const [code = "", name = ""] = hash.split("~", 2);
  try {
    return { code, name: decodeURIComponent(name).slice(0, 100) };
  } catch {
    return { code, name: "" };
  }
}

/** Write a team as the server reads it, with its cards by their keys. */
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

/** Count dice by cost, from 2 to 7 and more, and by energy, for a small chart. */
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

/** Between which shares the true one lies, 95 times of a hundred (Wilson's interval). */
export function confidenceInterval(hits: number, of: number): [low: number, high: number] {
  if (!of) return [0, 1];
  const z = 1.96;
  const share = hits / of;
  const middle = share + (z * z) / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return [(middle - half) / (1 + (z * z) / of), (middle + half) / (1 + (z * z) / of)];
}
