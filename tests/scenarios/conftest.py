from collections.abc import Iterator

import pytest
from scenario import Scenario


@pytest.fixture(scope="session")
def scenario(tmp_path_factory) -> Iterator[Scenario]:
    scenario = Scenario(tmp_path_factory.mktemp("pictures"))
    yield scenario
    scenario.close()
