-- What people asked for that every process of the pet is to do, until each sibling has done it. The
-- body goes with the row once its sibling has it.
CREATE TABLE sibling_deeds (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    sibling TEXT NOT NULL,
    deed TEXT NOT NULL,
    body TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    UNIQUE (sibling, deed)
) STRICT;
-- Deeds that were done here, wherever they were asked for.
CREATE TABLE sibling_deeds_done (
    deed TEXT PRIMARY KEY,
    done_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- The forgettings that such a deed was here: one for each person who had its accounts.
CREATE TABLE sibling_deed_forgettings (
    forgetting INTEGER PRIMARY KEY REFERENCES forgettings (id) ON DELETE CASCADE,
    deed TEXT NOT NULL
) STRICT;
CREATE INDEX sibling_deed_forgettings_deed ON sibling_deed_forgettings (deed);
CREATE INDEX sibling_deeds_done_at ON sibling_deeds_done (done_at);
-- When a person last said whether they are observed, here or elsewhere (milliseconds).
ALTER TABLE people ADD COLUMN wished_at INTEGER NOT NULL DEFAULT 0;
-- Rows of other processes that an answer was given, so that it goes when they do.
CREATE TABLE given_lines (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    sibling TEXT NOT NULL,
    ref TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX given_lines_turn ON given_lines (turn_id);
CREATE INDEX given_lines_ref ON given_lines (ref);
-- The process that each line of an answer came from, of those that another process gave.
ALTER TABLE memory_retrievals ADD COLUMN elsewhere TEXT NOT NULL DEFAULT '[]';
