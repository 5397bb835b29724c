/**
 * Sounds and vibration for important moments. Tones are synthesised, and nothing is signalled by sound or vibration
 * alone.
 */

import type { Board } from "../../game/board.svelte";
import type { LogEntryData, View } from "../../api/protocol";
import { prefersReducedMotion, settings } from "../../app/settings.svelte";

export type Sound =
  | "pick"
  | "back"
  | "roll"
  | "buy"
  | "field"
  | "attack"
  | "block"
  | "damage"
  | "ko"
  | "life"
  | "global"
  | "turn"
  | "refused"
  | "win"
  | "loss";

let context: AudioContext | null = null;

/** Play one tone: pitch in hertz, start and length in seconds, gliding to a second pitch if there is one. */
function tone(
  audio: AudioContext,
  pitch: number,
  length: number,
  at = 0,
  to = pitch,
  loud = 0.12,
  shape: OscillatorType = "triangle",
): void {
  const start = audio.currentTime + at;
  const wave = audio.createOscillator();
  const gain = audio.createGain();
  wave.type = shape;
  wave.frequency.setValueAtTime(pitch, start);
  wave.frequency.exponentialRampToValueAtTime(to, start + length);
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  wave.connect(gain).connect(audio.destination);
  wave.start(start);
  wave.stop(start + length);
}

/** Play a knock: filtered noise. */
function knock(audio: AudioContext, pitch: number, length: number, at = 0, loud = 0.2): void {
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const gain = audio.createGain();
  source.buffer = noise;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(audio.currentTime + at);
}

const SOUNDS: Record<Sound, (audio: AudioContext) => void> = {
  pick: (a) => tone(a, 880, 0.04, 0, 880, 0.06),
  back: (a) => tone(a, 520, 0.05, 0, 480, 0.06),
  roll: (a) => {
    for (let n = 0; n < 11; n++) knock(a, 900 + 300 * (n % 4), 0.05, n * 0.055, 0.22);
  },
  buy: (a) => [523, 784].forEach((f, n) => tone(a, f, 0.16, n * 0.09)),
  field: (a) => {
    knock(a, 220, 0.12);
    tone(a, 196, 0.25, 0, 196);
    tone(a, 294, 0.25, 0.03, 294, 0.08);
  },
  attack: (a) => tone(a, 90, 0.4, 0, 180, 0.2, "sawtooth"),
  block: (a) => knock(a, 1500, 0.07, 0, 0.3),
  damage: (a) => {
    knock(a, 160, 0.2, 0, 0.5);
    tone(a, 110, 0.2, 0, 60, 0.2, "square");
  },
  ko: (a) => {
    knock(a, 240, 0.15, 0, 0.5);
    tone(a, 330, 0.35, 0.05, 110, 0.14);
  },
  life: (a) => [392, 494].forEach((f, n) => tone(a, f, 0.2, n * 0.1)),
  global: (a) => tone(a, 1175, 0.5, 0, 1170, 0.08, "sine"),
  turn: (a) => [587, 784].forEach((f, n) => tone(a, f, 0.18, n * 0.12)),
  refused: (a) => [0, 0.09].forEach((at) => tone(a, 150, 0.06, at, 140, 0.1, "square")),
  win: (a) => [523, 659, 784, 1047].forEach((f, n) => tone(a, f, 0.3, n * 0.13)),
  loss: (a) => [330, 247].forEach((f, n) => tone(a, f, 0.4, n * 0.22)),
};

/** Play a sound, if sounds are switched on. */
export function playSound(sound: Sound): void {
  if (!settings.sound || prefersReducedMotion() || document.hidden) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  SOUNDS[sound](context);
}

/** Vibrate a phone, if sounds are on and motion is not reduced. */
function vibrate(pattern: number | number[]): void {
  if (!prefersReducedMotion() && settings.sound) navigator.vibrate?.(pattern);
}

const NEWS_SOUNDS: [(line: LogEntryData) => boolean, Sound][] = [
  [(n) => n.kind === "ko", "ko"],
  [(n) => n.kind === "damage", "damage"],
  [(n) => n.kind === "life" && n.amount > 0, "life"],
  [(n) => n.kind === "roll", "roll"],
  [(n) => / buys /.test(n.text) && n.kind === "happening", "buy"],
  [(n) => / fields /.test(n.text) && n.kind === "happening", "field"],
  [(n) => /'s Global$/.test(n.text), "global"],
  [(n) => / attacks$/.test(n.text), "attack"],
  [(n) => / blocks /.test(n.text) && n.kind === "happening", "block"],
];

/** Signal a view's news by its most important sound and by vibration. */
export function signalView(board: Board, view: View, before: View): void {
  if (view.result && !before.result) {
    const won = board.you.length === 1 && view.result.winner.includes(board.you[0]!);
    playSound(won ? "win" : "loss");
    return vibrate(won ? [60, 60, 60, 60, 200] : 200);
  }
  const found = NEWS_SOUNDS.find(([fits]) => view.news.some(fits));
  if (found) playSound(found[1]);
  if (found?.[1] === "ko") vibrate([30, 40, 60]);
  else if (view.news.some((n) => n.kind === "damage" && n.seat !== null && board.isYou(n.seat))) vibrate(80);
  if (view.active !== before.active && board.isYou(view.active)) {
    playSound("turn");
    vibrate(40);
  }
}
