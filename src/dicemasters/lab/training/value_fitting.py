"""Fitting the value network: training loss, gradients, Adam, temperature scaling and holdout metrics (needs numpy)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicemasters.players.network import ValueNetwork
from dicemasters.players.value_weights import round_weights

FloatArray = NDArray[np.float32]

LEARNING_RATE = 0.003  # initial learning rate; it decays to 0 along a half cosine
WEIGHT_DECAY = 0.3  # decoupled, as in AdamW; strong, since outcomes depend mostly linearly on features
BATCH_SIZE = 512
BETA1, BETA2 = 0.9, 0.999  # decay rates of Adam (Kingma and Ba 2015)
MIN_STD = 0.05  # minimum standard deviation of a feature, so that a nearly constant one is not scaled up too much


@dataclass(frozen=True)
class FitMetrics:
    """Quality of predicted win chances on rows with known outcomes."""

    rows: int
    loss: float  # mean cross-entropy
    auc: float  # area under the ROC curve
    calibration: tuple[tuple[int, float, float], ...]  # per tenth of predictions: rows, mean, share won


def fit(
    x: FloatArray,
    outcomes: FloatArray,
    *,
    hidden: int,
    epochs: int,
    seed: int,
    sample_weights: FloatArray | None = None,
) -> ValueNetwork:
    """Fit a network to rows of features and outcomes by minimising the training loss with Adam.

    The same seed gives the same network.
    """
    rng = np.random.default_rng(seed)
    mean, std = x.mean(0), np.maximum(x.std(0), MIN_STD)
    inputs = ((x - mean) / std).astype(np.float32)
    n, width = inputs.shape
    parameters = [
        np.zeros(width),  # skip weights
        np.zeros(1),  # output bias
        rng.normal(0, 0.7 / np.sqrt(width), (hidden, width)),
        np.zeros(hidden),  # hidden biases
        rng.normal(0, 0.1, hidden),  # output weights
    ]
    parameters = [parameter.astype(np.float32) for parameter in parameters]
    first_moments = [np.zeros_like(parameter) for parameter in parameters]
    second_moments = [np.zeros_like(parameter) for parameter in parameters]
    row_weights = np.ones(n, np.float32) if sample_weights is None else sample_weights
    step = 0
    for epoch in range(epochs):
        learning_rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        order = rng.permutation(n)
        for start in range(0, n, BATCH_SIZE):
            batch = order[start : start + BATCH_SIZE]
            step += 1
            gradients = _training_loss_gradients(inputs[batch], outcomes[batch], row_weights[batch], parameters)
            for i, gradient in enumerate(gradients):
                first_moments[i] += (1 - BETA1) * (gradient - first_moments[i])
                second_moments[i] += (1 - BETA2) * (gradient * gradient - second_moments[i])
                denominator = np.sqrt(second_moments[i] / (1 - BETA2**step)) + 1e-8
                parameters[i] -= (
                    learning_rate * (first_moments[i] / (1 - BETA1**step) / denominator + WEIGHT_DECAY * parameters[i])
                ).astype(np.float32)
    skip_weights, output_bias, hidden_weights, hidden_biases, output_weights = (
        parameter.astype(np.float64) for parameter in parameters
    )
    hidden_weights, skip_weights = hidden_weights / std, skip_weights / std
    return ValueNetwork(
        [round_weights(row) for row in hidden_weights.tolist()],
        round_weights((hidden_biases - hidden_weights @ mean).tolist()),
        round_weights(output_weights.tolist()),
        round_weights(skip_weights.tolist()),
        float(output_bias[0] - skip_weights @ mean),
    )


def _training_loss_gradients(
    x: FloatArray, outcomes: FloatArray, row_weights: FloatArray, parameters: list[FloatArray]
) -> list[FloatArray]:
    """Return the gradient of the weighted training loss of some rows for each parameter, by backpropagation."""
    skip_weights, output_bias, hidden_weights, hidden_biases, output_weights = parameters
    pre_activations = x @ hidden_weights.T + hidden_biases
    activations = np.maximum(pre_activations, 0)
    p = 1 / (1 + np.exp(-(x @ skip_weights + activations @ output_weights + output_bias[0])))
    logit_gradient = ((p - outcomes) * row_weights / row_weights.sum()).astype(np.float32)
    hidden_gradient = np.outer(logit_gradient, output_weights) * (pre_activations > 0)
    return [
        x.T @ logit_gradient,
        logit_gradient.sum(keepdims=True),
        hidden_gradient.T @ x,
        hidden_gradient.sum(0),
        activations.T @ logit_gradient,
    ]


def predict(network: ValueNetwork, x: FloatArray) -> FloatArray:
    """Return the network's win chance for each row."""
    hidden_weights, hidden_biases = np.array(network.hidden_weights), np.array(network.hidden_biases)
    activations = np.maximum(x @ hidden_weights.T + hidden_biases, 0)
    skip, hidden = x @ np.array(network.skip_weights), activations @ np.array(network.output_weights)
    logits = skip + hidden + network.output_bias
    probabilities: FloatArray = (1 / (1 + np.exp(-np.clip(logits, -30, 30)))).astype(np.float32)
    return probabilities


def calibrate_temperature(network: ValueNetwork, x: FloatArray, outcomes: FloatArray) -> ValueNetwork:
    """Return the network after temperature scaling.

    All logits are multiplied by the inverse temperature that minimises the cross-entropy loss on these rows.
    """
    p = np.clip(predict(network, x), 1e-6, 1 - 1e-6)
    logits = np.log(p / (1 - p))
    inverse_temperatures = np.linspace(0.5, 1.5, 101)
    best = float(
        min(inverse_temperatures, key=lambda scale: cross_entropy_loss(1 / (1 + np.exp(-scale * logits)), outcomes))
    )
    return ValueNetwork(
        network.hidden_weights,
        network.hidden_biases,
        round_weights([best * n for n in network.output_weights]),
        round_weights([best * n for n in network.skip_weights]),
        best * network.output_bias,
    )


def holdout_metrics(p: FloatArray, outcomes: FloatArray) -> FitMetrics:
    """Return loss, AUC and calibration of the predictions for holdout rows."""
    decile = np.minimum((p * 10).astype(int), 9)
    calibration = tuple(
        (
            int((decile == k).sum()),
            round(float(p[decile == k].mean()), 3),
            round(float(outcomes[decile == k].mean()), 3),
        )
        for k in range(10)
        if (decile == k).any()
    )
    return FitMetrics(len(p), cross_entropy_loss(p, outcomes), _auc(p, outcomes), calibration)


def cross_entropy_loss(p: FloatArray, outcomes: FloatArray) -> float:
    """Return the training loss: the mean binary cross-entropy between predicted win chances and outcomes."""
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return float(-np.mean(outcomes * np.log(p) + (1 - outcomes) * np.log(1 - p)))


def _auc(p: FloatArray, outcomes: FloatArray) -> float:
    """Return the area under the ROC curve, leaving out tied games."""
    p, outcomes = p[outcomes != 0.5], outcomes[outcomes != 0.5]
    ranks = np.empty(len(p))
    ranks[np.argsort(p, kind="stable")] = np.arange(len(p))
    positives = outcomes.sum()
    return float(
        (ranks[outcomes == 1].sum() - positives * (positives - 1) / 2) / max(1, positives * (len(outcomes) - positives))
    )
