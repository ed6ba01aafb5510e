-- name: switch_on
INSERT INTO checkin_rooms (room_id, person_id, account, locale, since)
VALUES (:room, :person, :account, :locale, :now)
ON CONFLICT (room_id) DO UPDATE SET
    person_id = excluded.person_id, account = excluded.account, locale = excluded.locale,
    since = excluded.since
RETURNING room_id

-- name: switch_off
DELETE FROM checkin_rooms WHERE room_id = :room RETURNING room_id

-- name: rooms
-- Direct rooms first: what may be asked in private is. What a room was asked lately, and what its person was in any; since the last word there, how much.
WITH standing AS (
    SELECT c.*, (
        SELECT sent_at FROM messages
        WHERE room_id = c.room_id AND author_kind = 'person' ORDER BY sent_at DESC LIMIT 1
    ) AS word_at
    FROM checkin_rooms AS c
    WHERE :room IS NULL OR c.room_id = :room
)
SELECT o.*, s.person_id AS person, s.account, s.locale, s.word_at,
    coalesce((
        SELECT spaces FROM messages
        WHERE room_id = s.room_id AND person_id = s.person_id AND author_kind = 'person'
        ORDER BY sent_at DESC LIMIT 1
    ), '[]') AS spaces,
    (
        SELECT json_group_array(k.at) FROM checkins AS k
        WHERE k.at > :lately AND (
            k.room_id = s.room_id OR (o.kind = 'direct' AND k.person_id = s.person_id)
        )
    ) AS asked,
    (
        SELECT count(*) FROM checkins AS k
        WHERE k.room_id = s.room_id AND k.at > coalesce(s.word_at, 0)
    ) AS unanswered
FROM standing AS s JOIN rooms AS o ON o.id = s.room_id
ORDER BY o.kind = 'direct' DESC, s.since, s.room_id

-- name: said
-- The latest own words that were heard and not brought along; of people who are not observed only
-- what they said to the pet alone. A name is the one that its author went by there.
SELECT * FROM (
    SELECT m.id AS message, m.person_id AS person, m.author AS name, m.account, m.text,
        m.sent_at AS at, NOT EXISTS (
            SELECT 1 FROM memory_sources AS s CROSS JOIN memories AS x ON x.id = s.memory_id
            WHERE s.message_id = m.id
                AND (x.superseded_by IS NOT NULL OR x.forgotten_at IS NOT NULL)
        ) AS stands
    FROM messages AS m CROSS JOIN people AS p ON p.id = m.person_id
    WHERE m.author_kind = 'person' AND m.deleted_at IS NULL AND m.text <> ''
        AND m.brought_by IS NULL AND m.sent_at >= :since AND m.sent_at <= :now
        AND m.audience IN (SELECT value FROM json_each(:audiences))
        AND (p.observed OR m.audience = 'person:' || p.id)
        AND (:person IS NULL OR m.person_id = :person)
        AND (:room IS NULL OR m.room_id = :room)
    ORDER BY m.sent_at DESC, m.id DESC LIMIT :most
) ORDER BY at, message

-- name: birthdays
-- What people told of themselves; in a group only of those who wrote there since.
SELECT f.id AS fact, f.person_id AS person, f.value, m.content, f.valid_from AS said_at,
    coalesce(w.author, p.name) AS name, w.account
FROM core_facts AS f
JOIN memories AS m ON m.id = f.memory_id
JOIN people AS p ON p.id = f.person_id
LEFT JOIN messages AS w ON w.id = (
    SELECT id FROM messages
    WHERE person_id = f.person_id AND author_kind = 'person' AND room_id = :here
        AND sent_at >= :since
    ORDER BY sent_at DESC LIMIT 1
)
WHERE f.key = 'birthday' AND f.valid_until IS NULL AND m.author_id = f.person_id
    AND m.superseded_by IS NULL AND m.forgotten_at IS NULL AND m.content <> ''
    AND f.audience IN (SELECT value FROM json_each(:audiences))
    AND (p.observed OR f.audience = 'person:' || p.id)
    AND (:person IS NULL OR f.person_id = :person)
    AND (:person IS NOT NULL OR w.id IS NOT NULL)
ORDER BY f.id

-- name: asked
SELECT k.thing, k.person_id AS person, coalesce(m.text, '') AS text
FROM checkins AS k LEFT JOIN messages AS m ON m.id = k.message_id
WHERE k.at > :since

-- name: add
INSERT INTO checkins (thing, rule, room_id, person_id, message_id, at)
SELECT :thing, :rule, :room, :person, :message, :now
WHERE EXISTS (SELECT 1 FROM checkin_rooms WHERE room_id = :room)
ON CONFLICT (thing) DO NOTHING
RETURNING id

-- name: became
UPDATE checkins SET turn_id = :turn WHERE id = :id

-- name: of_turn
SELECT rule, room_id FROM checkins WHERE turn_id = :turn

-- name: unsent
SELECT t.id FROM turns AS t JOIN checkins AS k ON k.turn_id = t.id WHERE t.state = 'replied'

-- name: give_up
UPDATE turns SET state = 'refused' WHERE id = :turn AND state = 'replied'
