"""Fitting a network to how games ended, and telling how well its chances fit games it has not seen (needs numpy)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicemasters.players.network import ValueNetwork
from dicemasters.players.value_weights import round_weights

FloatArray = NDArray[np.float32]

LEARNING_RATE = 0.003  # how far a step goes at first; it falls to nothing along a half cosine
WEIGHT_DECAY = 0.3  # of weights, with each step: most of what a position has to do with the result is straight
BATCH_SIZE = 512
BETA1, BETA2 = 0.9, 0.999  # Adam's (Kingma and Ba 2015)
MIN_STD = 0.05  # of a feature; one that hardly ever differs would else count for too much


@dataclass(frozen=True)
class FitMetrics:
    """How well chances fit what happened."""

    rows: int
    loss: float  # mean of -log(the chance given to what happened)
    auc: float  # how often the one of two rows that was won had the higher chance
    calibration: tuple[tuple[int, float, float], ...]  # of the chances: how many rows, mean chance, share won


def fit(
    x: FloatArray, won: FloatArray, *, hidden: int, epochs: int, seed: int, weights: FloatArray | None = None
) -> ValueNetwork:
    """Fit a network to rows of features and results, by Adam; the same seed gives the same network."""
    chance = np.random.default_rng(seed)
    mean, spread = x.mean(0), np.maximum(x.std(0), MIN_STD)
    z = ((x - mean) / spread).astype(np.float32)
    n, width = z.shape
    parts = [
        np.zeros(width),  # straight
        np.zeros(1),  # bias
        chance.normal(0, 0.7 / np.sqrt(width), (hidden, width)),
        np.zeros(hidden),  # biases
        chance.normal(0, 0.1, hidden),  # out
    ]
    parts = [part.astype(np.float32) for part in parts]
    means, squares = [np.zeros_like(p) for p in parts], [np.zeros_like(p) for p in parts]
    weigh = np.ones(n, np.float32) if weights is None else weights
    step = 0
    for epoch in range(epochs):
        rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        order = chance.permutation(n)
        for at in range(0, n, BATCH_SIZE):
            rows = order[at : at + BATCH_SIZE]
            step += 1
            for i, slope in enumerate(_gradients(z[rows], won[rows], weigh[rows], parts)):
                means[i] += (1 - BETA1) * (slope - means[i])
                squares[i] += (1 - BETA2) * (slope * slope - squares[i])
                root = np.sqrt(squares[i] / (1 - BETA2**step)) + 1e-8
                parts[i] -= (rate * (means[i] / (1 - BETA1**step) / root + WEIGHT_DECAY * parts[i])).astype(np.float32)
    straight, bias, units, biases, out = (part.astype(np.float64) for part in parts)
    units, straight = units / spread, straight / spread
    return ValueNetwork(
        [round_weights(row) for row in units.tolist()],
        round_weights((biases - units @ mean).tolist()),
        round_weights(out.tolist()),
        round_weights(straight.tolist()),
        float(bias[0] - straight @ mean),
    )


def _gradients(x: FloatArray, won: FloatArray, weigh: FloatArray, parts: list[FloatArray]) -> list[FloatArray]:
    """Give how the loss of some rows changes with each part of the network."""
    straight, bias, units, biases, out = parts
    inner = x @ units.T + biases
    lit = np.maximum(inner, 0)
    p = 1 / (1 + np.exp(-(x @ straight + lit @ out + bias[0])))
    error = ((p - won) * weigh / weigh.sum()).astype(np.float32)
    back = np.outer(error, out) * (inner > 0)
    return [x.T @ error, error.sum(keepdims=True), back.T @ x, back.sum(0), lit.T @ error]


def predict(network: ValueNetwork, x: FloatArray) -> FloatArray:
    """Give the network's chance for each row."""
    units, biases, out = np.array(network.hidden), np.array(network.biases), np.array(network.out)
    total = x @ np.array(network.straight) + np.maximum(x @ units.T + biases, 0) @ out + network.bias
    found: FloatArray = (1 / (1 + np.exp(-np.clip(total, -30, 30)))).astype(np.float32)
    return found


def calibrate_temperature(network: ValueNetwork, x: FloatArray, won: FloatArray) -> ValueNetwork:
    """Give the network with chances drawn to or from the middle by one factor, so that they fit these rows best."""
    p = np.clip(predict(network, x), 1e-6, 1 - 1e-6)
    logit = np.log(p / (1 - p))
    factors = np.linspace(0.5, 1.5, 101)
    best = float(min(factors, key=lambda f: _cross_entropy(1 / (1 + np.exp(-f * logit)), won)))
    return ValueNetwork(
        network.hidden,
        network.biases,
        round_weights([best * n for n in network.out]),
        round_weights([best * n for n in network.straight]),
        best * network.bias,
    )


def evaluate(p: FloatArray, won: FloatArray) -> FitMetrics:
    """Compare chances with what happened."""
    tenth = np.minimum((p * 10).astype(int), 9)
    tenths = tuple(
        (int((tenth == k).sum()), round(float(p[tenth == k].mean()), 3), round(float(won[tenth == k].mean()), 3))
        for k in range(10)
        if (tenth == k).any()
    )
    return FitMetrics(len(p), _cross_entropy(p, won), _auc(p, won), tenths)


def _cross_entropy(p: FloatArray, won: FloatArray) -> float:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return float(-np.mean(won * np.log(p) + (1 - won) * np.log(1 - p)))


def _auc(p: FloatArray, won: FloatArray) -> float:
    p, won = p[won != 0.5], won[won != 0.5]
    ranks = np.empty(len(p))
    ranks[np.argsort(p, kind="stable")] = np.arange(len(p))
    n = won.sum()
    return float((ranks[won == 1].sum() - n * (n - 1) / 2) / max(1, n * (len(won) - n)))
