"""A plugin of pytest for runs of mutants: random examples that fail are not made smaller."""

import pytest
from hypothesis import Phase, settings


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Take the profile of the tests, without its last phases."""
    phases = [Phase.explicit, Phase.reuse, Phase.generate]
    settings.register_profile("unshrunk", settings.get_profile("aptdb"), phases=phases)
    settings.load_profile("unshrunk")
