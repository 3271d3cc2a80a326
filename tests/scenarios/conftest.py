import pytest
from scenario import Scenario


@pytest.fixture(scope="session")
def scenario(tmp_path_factory) -> Scenario:
    return Scenario(tmp_path_factory.mktemp("pictures"))
