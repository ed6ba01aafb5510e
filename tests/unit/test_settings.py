import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.requests import Purpose
from config import schema
from config.errors import SettingsRefused
from config.sections.budget import BudgetSettings, CapSettings
from config.sections.rooms import RoomSettings
from config.sections.web import WebSettings
from config.settings import Settings, load_settings
from memory.model.rooms import RoomRole


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the settings of whoever runs the tests out of them."""
    monkeypatch.chdir(tmp_path)


def _refusal(environ: dict[str, str] | None = None, toml: str | None = None) -> str:
    """What is said about these settings."""
    if toml is not None:
        Path("eko.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(SettingsRefused) as refused:
        load_settings(environ=environ or {})
    return str(refused.value)


def test_nothing_given_means_the_defaults() -> None:
    """Without a file or a variable, the settings are what the class says."""
    assert load_settings(environ={}) == Settings()


def test_the_environment_wins_over_dotenv_over_the_file_over_the_default() -> None:
    """Each key comes from the first source that has it, and the others keep theirs."""
    Path("eko.toml").write_text('[pet]\nname = "File"\naliases = ["f"]\n[web]\nport = 1\n')
    Path(".env").write_text("EKO_PET__NAME=Dotenv\nEKO_WEB__PORT=2\n")
    settings = load_settings(environ={"EKO_PET__NAME": "Environment"})
    assert (settings.pet.name, settings.web.port, settings.pet.aliases) == (
        "Environment",
        2,
        ("f",),
    )
    assert settings.web.host == "127.0.0.1"


def test_a_direct_construction_reads_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """`Settings()` is a value: neither the environment nor a file reaches it."""
    monkeypatch.setenv("EKO_PET__NAME", "Ambient")
    monkeypatch.setenv("PET", '{"name": "Ambient"}')
    Path(".env").write_text("EKO_PET__NAME=Ambient\n")
    assert Settings().pet.name == "Eko"


def test_the_process_environment_is_read_when_none_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Callers that pass no environment get the real one."""
    monkeypatch.setenv("EKO_PET__NAME", "Ambient")
    assert load_settings().pet.name == "Ambient"


@pytest.mark.parametrize(("name", "path"), schema.plain_names(Settings).items())
def test_the_plain_names_of_the_services_are_read(name: str, path: tuple[str, str]) -> None:
    """Each variable under a service's own name reaches its key."""
    section, key = path
    chosen = schema.providers(Settings).get(name)
    given = {schema.variable_of(chosen[0]): chosen[1], "EKO_MODEL__NAME": "m"} if chosen else {}
    found = getattr(getattr(load_settings(environ={name: "http://x", **given}), section), key)
    value = found if isinstance(found, str) else found.get_secret_value()
    assert value == "http://x"


def test_our_own_name_wins_over_the_plain_one() -> None:
    """EKO_MODEL__API_KEY is more particular than ANTHROPIC_API_KEY."""
    environ = {"EKO_MODEL__API_KEY": "ours-1", "ANTHROPIC_API_KEY": "plain-1"}
    key = load_settings(environ=environ).model.api_key
    assert key is not None
    assert key.get_secret_value() == "ours-1"


def test_a_plain_name_in_the_environment_wins_over_ours_in_dotenv() -> None:
    """The environment wins as a whole, whichever of the two names it uses."""
    Path(".env").write_text("EKO_MODEL__API_KEY=ours-1\n")
    key = load_settings(environ={"ANTHROPIC_API_KEY": "plain-1"}).model.api_key
    assert key is not None
    assert key.get_secret_value() == "plain-1"


def test_an_empty_variable_counts_as_not_given() -> None:
    """Compose files pass `NAME=` for what is not set."""
    environ = {"VOYAGE_API_KEY": "", "EKO_WEB__PORT": ""}
    assert load_settings(environ=environ) == Settings()


@pytest.mark.parametrize("token", ["   ", "\n", '""'])
def test_a_blank_key_counts_as_not_given(token: str) -> None:
    """Spaces are no token, and nobody is sent to make a new one for them."""
    assert load_settings(environ={"DISCORD_TOKEN": token}).discord.token is None


@pytest.mark.parametrize("text", ['"abc.d"', "'abc.d'", " abc.d\n", '" abc.d "'])
def test_a_key_is_read_without_the_spaces_and_quotes_around_it(text: str) -> None:
    """Files of variables that no shell reads keep the quotes."""
    token = load_settings(environ={"DISCORD_TOKEN": text}).discord.token
    assert token is not None
    assert token.get_secret_value() == "abc.d"


@pytest.mark.parametrize("text", ["Bot abc", "abc\ndef"])
def test_a_key_of_several_words_is_refused_and_not_shown(text: str) -> None:
    """It could go into no request: that is said at the start, and not by a fault later."""
    refusal = _refusal({"DISCORD_TOKEN": text})
    assert refusal == "DISCORD_TOKEN: must be one word: there is a space or a new line inside."


@pytest.mark.parametrize("account", ["discord:ana", "discord:@ana", "discord:<@12>"])
def test_an_admin_of_discord_is_a_number(account: str) -> None:
    """A name would look right and give nobody any power."""
    assert "Copy User ID" in _refusal({"EKO_ADMINS__IDENTITIES": account})


@pytest.mark.parametrize("account", ["discord:123", "discord:*", "local:ana", "console:*"])
def test_an_admin_is_an_account_or_a_pattern(account: str) -> None:
    """What the platforms have as accounts is taken as it is."""
    settings = load_settings(environ={"EKO_ADMINS__IDENTITIES": account})
    assert settings.admins.identities == (account,)


def test_a_room_of_discord_is_a_number() -> None:
    """A name would look right and be nobody's room."""
    toml = '[[rooms]]\nplatform = "discord"\nexternal_id = "#lobby"\nrole = "pet"\n'
    assert "Copy Channel ID" in _refusal(toml=toml)


def test_rooms_as_one_section_are_refused_with_the_brackets_they_need() -> None:
    """Two brackets make a list of sections, which few know by heart."""
    assert "[[rooms]]" in _refusal(toml='[rooms]\n"discord:1" = "pet"\n')


@pytest.mark.parametrize("text", ["2,14", "2, 14", "[2, 14]"])
def test_lists_in_variables_are_commas_or_json(text: str) -> None:
    """Both spellings of a list mean the same."""
    assert load_settings(environ={"EKO_DIGEST__HOURS": text}).digest.hours == (2, 14)


def test_rooms_come_as_tables_or_as_json() -> None:
    """A list of sections can be given in the file and in a variable."""
    room = {"platform": "local", "external_id": "den", "role": "pet", "confidential": True}
    Path("eko.toml").write_text(
        '[[rooms]]\nplatform = "local"\nexternal_id = "den"\nrole = "pet"\nconfidential = true\n'
    )
    expected = (RoomSettings(platform="local", external_id="den", role="pet", confidential=True),)
    assert load_settings(environ={}).rooms == expected
    Path("eko.toml").unlink()
    assert load_settings(environ={"EKO_ROOMS": json.dumps([room])}).rooms == expected


def test_the_word_none_takes_a_cap_away() -> None:
    """TOML has no null, so "none" says it; where a value is needed it stays a word."""
    environ = {"EKO_BUDGET__PER_PERSON_TURNS": "none", "EKO_PET__NAME": "none"}
    settings = load_settings(environ=environ)
    assert (settings.budget.per_person_turns, settings.pet.name) == (None, "none")


def test_the_file_is_the_argument_then_the_variable(tmp_path: Path) -> None:
    """An explicit file wins over EKO_CONFIG, which wins over ./eko.toml."""
    for name in ("eko", "variable", "argument"):
        (tmp_path / f"{name}.toml").write_text(f'[pet]\nname = "{name}"\n')
    environ = {"EKO_CONFIG": "variable.toml"}
    assert load_settings(environ={}).pet.name == "eko"
    assert load_settings(environ=environ).pet.name == "variable"
    assert load_settings(Path("argument.toml"), environ=environ).pet.name == "argument"


def test_a_file_that_was_asked_for_must_exist() -> None:
    """A wrong EKO_CONFIG is said, not skipped."""
    assert "nowhere.toml does not exist" in _refusal({"EKO_CONFIG": "nowhere.toml"})


def test_broken_toml_gives_line_and_column() -> None:
    """The place of a syntax error is named."""
    said = _refusal(toml='[pet]\nname = "Eko"\nthis is not toml\n')
    assert said.startswith("eko.toml is not valid TOML:")
    assert "line 3, column 6" in said


def test_a_file_in_another_encoding_gives_line_and_column() -> None:
    """A byte that is not UTF-8 is placed."""
    Path("eko.toml").write_bytes('[pet]\nname = "Zoé"\n'.encode("latin-1"))
    assert _refusal() == "eko.toml is not UTF-8 text (at line 2, column 11)."


def test_a_folder_instead_of_a_file_is_refused() -> None:
    """What cannot be read is said in a sentence too."""
    Path("eko.toml").mkdir()
    assert _refusal() == "eko.toml cannot be read: Is a directory."


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        (
            {"EKO_WEBB__PORT": "1"},
            "EKO_WEBB__PORT: there is no such setting; did you mean EKO_WEB__PORT?",
        ),
        (
            {"EKO_WEB_PORT": "1"},
            "EKO_WEB_PORT: there is no such setting; did you mean EKO_WEB__PORT?",
        ),
        ({"EKO_LOCALES": "fr"}, "EKO_LOCALES: there is no such setting; did you mean EKO_LOCALE?"),
        ({"Eko_Locale": "fr"}, "Eko_Locale: there is no such setting; did you mean EKO_LOCALE?"),
        ({"EKO_CONFGI": "x"}, "EKO_CONFGI: there is no such setting; did you mean EKO_CONFIG?"),
        ({"EKO_XYZZY": "1"}, "EKO_XYZZY: there is no such setting."),
        (
            {"EKO_MODEL__API_KEY__X": "1"},
            "EKO_MODEL__API_KEY__X: there is no such setting; did you mean EKO_MODEL__API_KEY?",
        ),
        (
            {"EKO_WEB__PORT": "70000"},
            'EKO_WEB__PORT: must be less than or equal to 65535, not "70000".',
        ),
        ({"EKO_WEB__PORT": "http"}, 'EKO_WEB__PORT: must be a whole number, not "http".'),
        (
            {"EKO_WEB__ENABLED": "perhaps"},
            'EKO_WEB__ENABLED: must be true or false, not "perhaps".',
        ),
        ({"EKO_WEB": "on"}, 'EKO_WEB: must be a section with keys of its own, not "on".'),
        (
            {"EKO_WEB__PORT": "1", "EKO_WEB": "on"},
            'EKO_WEB: must be a section with keys of its own, not "on".',
        ),
        (
            {"EKO_RECALL__MIN_SCORE": "nan"},
            'EKO_RECALL__MIN_SCORE: must be a finite number, not "nan".',
        ),
        ({"EKO_DIGEST__HOURS": "2,2"}, "EKO_DIGEST__HOURS: must name each hour once."),
        (
            {"EKO_DIGEST__HOURS": "[2,"},
            'EKO_DIGEST__HOURS: must be a list, like ["a", "b"], not "[2,".',
        ),
        (
            {"EKO_TIMEZONE": "Mars/Olympus"},
            'EKO_TIMEZONE: must be a time zone, like "Europe/Paris" or "UTC", not "Mars/Olympus".',
        ),
        (
            {"QDRANT_URL": "localhost"},
            'QDRANT_URL: must be an address that begins with http:// or https://, not "localhost".',
        ),
        (
            {"EKO_VECTORS__KIND": "qdrant"},
            '[vectors]: kind "qdrant" needs a url (or QDRANT_URL).',
        ),
        (
            {"QDRANT_URL": "http://qdrant:6333", "EKO_VECTORS__CA_FILE": "ca.pem"},
            "[vectors]: ca_file is for a url that begins with https://.",
        ),
        (
            {"QDRANT_URL": "http://qdrant:6333", "EKO_VECTORS__SERVER_PORT": "443"},
            "[vectors]: the url names a port already: leave out server_port.",
        ),
        (
            {"QDRANT_URL": "http://qdrant:66666", "EKO_VECTORS__SERVER_PORT": "443"},
            "[vectors]: the port in the url is no port.",
        ),
        (
            {"EKO_VECTORS__WRITE_CONSISTENCY": "2"},
            "[vectors]: write_consistency waits for more copies than there are: raise replicas.",
        ),
        (
            {"EKO_VECTORS__QUANTIZATION": "product"},
            "EKO_VECTORS__QUANTIZATION: must be 'none', 'scalar' or 'binary', not \"product\".",
        ),
        (
            {"EKO_EMBEDDER__KIND": "voyage"},
            '[embedder]: kind "voyage" needs an api_key (or VOYAGE_API_KEY), or a base_url.',
        ),
        (
            {"EKO_COALESCING__MAX_WAIT_S": "1"},
            "[coalescing]: max_wait_s must be at least debounce_s.",
        ),
    ],
)
def test_a_wrong_variable_is_named_with_what_is_wrong(environ: dict[str, str], said: str) -> None:
    """The sentence has the variable, the complaint and, for names, the nearest one."""
    assert _refusal(environ) == said


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        (
            "[web]\nprot = 1",
            "[web] prot in eko.toml: there is no such setting; did you mean [web] port?",
        ),
        (
            "[webb]\nport = 1",
            "[webb] port in eko.toml: there is no such setting; did you mean [web]?",
        ),
        ("[webb]", "webb in eko.toml: there is no such setting; did you mean [web]?"),
        ("port = 1", "port in eko.toml: there is no such setting; did you mean [web] port?"),
        (
            "[web]\nport = 70000",
            "[web] port in eko.toml: must be less than or equal to 65535, not 70000.",
        ),
        (
            "[coalescing]\nmax_wait_s = 1",
            "[coalescing] in eko.toml: max_wait_s must be at least debounce_s.",
        ),
        (
            "[budget.turns]\ndaily_input_tokens = 1",
            (
                "[budget.turns] daily_input_tokens in eko.toml: there is no such setting; "
                "did you mean [budget.turn]?"
            ),
        ),
        (
            '[[rooms]]\nplatform = "local"',
            "rooms, entry 1, external_id in eko.toml: must be given.",
        ),
        (
            (
                '[[rooms]]\nplatform = "local"\nexternal_id = "a"\n'
                '[[rooms]]\nplatform = "local"\nexternal_id = "b"\nrol = "pet"'
            ),
            (
                "rooms, entry 2, rol in eko.toml: there is no such setting; "
                "did you mean rooms, entry 2, role?"
            ),
        ),
        (
            2 * '[[rooms]]\nplatform = "local"\nexternal_id = "a"\n',
            "[[rooms]] names the room local a twice.",
        ),
        (
            '[ttl]\nevent = "soon"',
            (
                "[ttl] event in eko.toml: "
                'must be a time such as 12h, 7d or 4w, or "none" for ever, not "soon".'
            ),
        ),
        (
            '[admins]\nidentities = ["everyone"]',
            (
                "[admins] identities, entry 1 in eko.toml: "
                'must look like platform:id, as in "console:*", not "everyone".'
            ),
        ),
    ],
)
def test_a_wrong_key_in_the_file_is_named_with_what_is_wrong(toml: str, said: str) -> None:
    """The sentence has the section, the key, the file, the complaint and the nearest name."""
    assert _refusal(toml=toml) == said


def test_a_wrong_variable_in_dotenv_names_the_file() -> None:
    """A variable is looked for where it stands."""
    Path(".env").write_text("EKO_WEB__PORT=http\nUNRELATED=1\n")
    assert _refusal() == 'EKO_WEB__PORT in .env: must be a whole number, not "http".'


def test_a_value_in_the_place_of_a_section_is_not_hidden_by_its_keys() -> None:
    """What the file has wrong is said, although a variable would have won over it."""
    said = _refusal({"EKO_WEB__PORT": "1"}, toml="web = 3\n")
    assert said == "web in eko.toml: must be a section with keys of its own, not 3."


def test_every_problem_is_said_at_once() -> None:
    """Nobody has to start three times to find three mistakes."""
    said = _refusal({"EKO_WEB__PORT": "x", "EKO_LOCALE": "de", "EKO_PETT__NAME": "y"})
    assert len(said.splitlines()) == 3


def test_other_variables_of_the_project_are_let_through() -> None:
    """What the tests and the set-up use is no mistake, nor is anybody else's variable."""
    environ = {"EKO_PEERS": "/x", "EKO_PEERS_REQUIRED": "1", "HOME": "/x", "ekonomi": "1"}
    assert load_settings(environ=environ) == Settings()


SECRET = "key-that-nobody-may-see"


def test_secrets_are_not_in_what_the_settings_print() -> None:
    """Neither repr nor a dump shows a key."""
    names = [name for name in schema.plain_names(Settings) if name.endswith("_KEY")]
    names.remove("OPENAI_API_KEY")  # of another provider, and so not read at all
    settings = load_settings(environ=dict.fromkeys(names, SECRET))
    assert len(settings.secrets()) == len(names)
    printed = (
        repr(settings),
        str(settings),
        str(settings.model_dump()),
        settings.model_dump_json(),
    )
    assert not [text for text in printed if SECRET in text]


@pytest.mark.parametrize(
    "environ",
    [
        {"ANTHROPIC_API_KEY": SECRET, "EKO_WEB__PORT": "x"},
        {"EKO_MODEL__API_KEYS": SECRET},
        {"EKO_MODEL__API_KEY__X": SECRET},
        {"EKO_MODEL": SECRET + "x" * 60},
        {"EKO_WEB__PORT": "sk-ant-" + SECRET},
    ],
)
def test_secrets_are_not_in_refusals(environ: dict[str, str]) -> None:
    """A sentence about a wrong setting shows no key, even one that was put in the wrong place."""
    assert SECRET not in _refusal(environ)


def test_a_refusal_carries_no_cause_that_would_show_values() -> None:
    """The validation error, which quotes its input, does not travel along."""
    with pytest.raises(SettingsRefused) as refused:
        load_settings(environ={"EKO_WEB__PORT": SECRET})
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None


def test_the_secrets_in_use_can_be_collected_for_masking() -> None:
    """All of them and nothing else."""
    settings = load_settings(environ={"ANTHROPIC_API_KEY": "one", "QDRANT_API_KEY": "two"})
    assert [secret.get_secret_value() for secret in settings.secrets()] == ["one", "two"]


def test_room_roles_and_purposes_are_those_of_the_pet() -> None:
    """The settings know nothing of the pet, so the words they share are held here."""
    roles = {role.value for role in RoomRole}
    assert all(RoomSettings(platform="local", external_id="x", role=role) for role in roles)
    sections = {name for name, one in BudgetSettings() if isinstance(one, CapSettings)}
    assert {purpose.value for purpose in Purpose} == sections | {"voice"}  # a section of its own


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8484"),
        ("0.0.0.0", "http://127.0.0.1:8484"),  # noqa: S104 - compared, not listened on
        ("::", "http://[::1]:8484"),
        ("pet.local", "http://pet.local:8484"),
    ],
)
def test_the_page_has_an_address_a_browser_takes(host: str, address: str) -> None:
    """Listening everywhere is reached through loopback."""
    assert WebSettings(host=host).address == address


@given(
    st.dictionaries(
        st.from_regex(r"\A(EKO_[A-Z_]{0,12}|QDRANT_URL|EKO_WEB__PORT|EKO_PET)\Z"),
        st.text(st.characters(codec="utf-8", exclude_characters="\0")),
        max_size=4,
    )
)
def test_any_environment_is_taken_or_refused_in_sentences(environ: dict[str, str]) -> None:
    """No variable, however odd, gets anything but settings or a refusal that ends its sentences."""
    environ.pop("EKO_CONFIG", None)
    assert all(problem.endswith((".", "?")) for problem in _problems(environ))


def _problems(environ: dict[str, str]) -> tuple[str, ...]:
    try:
        load_settings(environ=environ)
    except SettingsRefused as refused:
        return refused.problems
    return ()


@pytest.mark.parametrize(
    ("variable", "value", "reason"),
    [
        ("EKO_WEB__ORIGINS", "eko.example", "must be an address such as https://eko.example"),
        ("EKO_WEB__ORIGINS", "https://eko.example/page", "with nothing behind the name"),
        ("EKO_WEB__PROXIES", "caddy", "must be an address such as 10.0.0.1"),
        ("EKO_WEB__PROXIES", "10.0.0.1/8", "a range such as 10.0.0.0/8"),
    ],
)
def test_addresses_around_the_page_are_checked(variable: str, value: str, reason: str) -> None:
    """A misspelt one would let in nobody, or trust the wrong ones."""
    with pytest.raises(SettingsRefused, match=reason):
        load_settings(environ={variable: value})
