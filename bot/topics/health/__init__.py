"""How the pet is: the doctor, its indexes, its models, figures for monitors, the first page.

Start with `doctor.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=(
        "doctor",
        "indexes",
        "models",
    ),
    routes=(
        "metrics_routes",
        "statistics_routes",
    ),
    pages=(
        "home_page",
        "page",
    ),
    commands=("command",),
    terminal=(
        "terminal",
        "identity_terminal",
        "embedder_terminal",
        "model_terminal",
        "bench_terminal",
    ),
)
