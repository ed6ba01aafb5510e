"""The section of the settings about the page."""

from ipaddress import ip_address

from pydantic import Field

from config.sections.section import AddressRange, Name, Origin, SettingsSection


class WebSettings(SettingsSection):
    """The web page and the dashboard."""

    enabled: bool = Field(default=True, description="Whether there is a page.")
    host: Name = Field(
        "127.0.0.1",
        description="The address it listens on; 0.0.0.0 or :: opens it to the network, "
        "under this machine's names and by any address.",
    )
    port: int = Field(8484, ge=0, le=65535, description="Its port; 0 takes any free one.")

    hosts: tuple[Name, ...] = Field(
        (),
        description="Further names it answers to, as browsers write them; * is any.",
    )
    origins: tuple[Origin, ...] = Field(
        (),
        description="Whole addresses at which browsers see it, such as https://eko.example, for a "
        "proxy that does not pass on the name they asked for.",
    )
    proxies: tuple[AddressRange, ...] = Field(
        (),
        description="Proxies before it, by addresses or ranges such as 10.0.0.0/8. What others say "
        "of whom they forward for is not believed.",
    )
    published_here: bool = Field(
        default=False,
        description="It is published to this machine only, as docker-compose.yml does with "
        "127.0.0.1:8484:8484: whoever reaches it is on this machine, on whatever it listens.",
    )
    insecure_dashboard: bool = Field(
        default=False,
        description="Serve the dashboard and the API to the network without TLS: others there can "
        "read along and take over a session.",
    )
    connections: int = Field(
        512, ge=16, le=100_000, description="The most that are open at once, tabs included."
    )
    connections_per_address: int = Field(
        128,
        ge=8,
        le=100_000,
        description="The same of one address; proxies and this machine may have them all.",
    )

    @property
    def is_open(self) -> bool:
        """Whether others than this machine can reach it."""
        if self.published_here:
            return False
        try:
            return not ip_address(self.host).is_loopback
        except ValueError:
            return self.host.lower() != "localhost"

    @property
    def is_published_here(self) -> bool:
        """Whether any client is of this machine: a container sees its gateway instead.

        A proxy that is named may forward for others, so its word counts again.
        """
        return self.published_here and not self.proxies

    @property
    def serves_dashboard(self) -> bool:
        """Whether the dashboard is served without TLS too."""
        return self.insecure_dashboard or not self.is_open

    @property
    def address(self) -> str:
        """The page's address as a browser on this machine takes it."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"}.get(self.host, self.host)  # noqa: S104 - compared, not listened on
        return f"http://{host}:{self.port}"
