"""Generated requests, valid and invalid: every response conforms to the server's OpenAPI schema."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from tests.support.live_server import TIMEOUT, LiveServer

# a request that fits the schema may still be refused, for example for an unknown edition
load_all_checks()
EXCLUDED_CHECKS: Any = CHECKS.get_by_names(["positive_data_acceptance"])


@pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_responses_conform_to_the_openapi_schema(server: LiveServer, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_url(f"http://{server.address}/api/openapi.json")
    found: Any = schema.get_all_operations()
    operations = [one.ok() for one in found]
    assert len(operations) > 8
    for operation in operations:
        if mode is GenerationMode.NEGATIVE and not any((operation.path_parameters, operation.query, operation.body)):
            continue  # the operation has no input

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
        def ask(case: Any) -> None:
            case.call_and_validate(excluded_checks=EXCLUDED_CHECKS, timeout=TIMEOUT)

        ask()
