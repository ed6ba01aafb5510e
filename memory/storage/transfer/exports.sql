-- name: names_of
SELECT name FROM people WHERE id = :person
UNION SELECT name FROM identities WHERE person_id = :person

-- name: people_called
SELECT DISTINCT p.id, p.name FROM people AS p
LEFT JOIN identities AS i ON i.person_id = p.id
WHERE p.merged_into IS NULL AND (p.id = :name OR p.name = :name COLLATE NOCASE OR i.name = :name COLLATE NOCASE
    OR i.platform || ':' || i.external_id = :name
    OR p.id = (SELECT survivor FROM merged_people WHERE id = :name))
ORDER BY p.id

-- name: rooms_spoken_in
-- The groups where a person spoke, and whatever room: its own key and its community's.
SELECT DISTINCT r.id, r.space, r.kind FROM messages AS m
JOIN rooms AS r ON r.id = m.room_id
WHERE m.person_id = :person AND m.author_kind = 'person'

-- name: last_vouched
-- The last word of each platform on it: none speaks for another.
SELECT spaces, max(sent_at) FROM messages
WHERE person_id = :person AND author_kind = 'person'
GROUP BY platform

-- name: total
SELECT
    (SELECT count(*) FROM messages) + (SELECT count(*) FROM turns)
    + (SELECT count(*) FROM memories) + (SELECT count(*) FROM knowledge) AS total

-- name: people
WITH told AS (
    SELECT m.about_person AS about, m.person_id AS origin, m.author_id AS author FROM memories AS m
    WHERE m.forgotten_at IS NULL AND m.audience IN (SELECT value FROM json_each(:audiences))
        AND (:person IN (m.about_person, m.person_id, m.author_id) OR EXISTS (
            SELECT 1 FROM memory_subjects AS s JOIN json_each(:names) AS n
                ON s.subject = n.value COLLATE NOCASE
            WHERE s.memory_id = m.id
        ))
    UNION ALL
    SELECT k.about_person, k.person_id, NULL FROM knowledge AS k
    WHERE k.audience IN (SELECT value FROM json_each(:audiences))
        AND (k.about_person = :person OR k.person_id = :person)
)
-- Of others nothing but what they are called, and that as the reader heard it: what one of
-- several accounts goes by is for those alone who meet it.
SELECT p.id, p.created_at,
    CASE WHEN :person IS NULL OR p.id = :person THEN p.name ELSE coalesce(
        (
            SELECT a.spelling FROM aliases AS a
            WHERE a.person_id = p.id AND a.memory_id IS NULL
                AND a.audience IN (SELECT value FROM json_each(:audiences))
            ORDER BY a.rowid DESC LIMIT 1
        ),
        iif((SELECT count(*) FROM identities WHERE person_id = p.id) > 1, :pseudonym, p.name)
    ) END AS name,
    CASE WHEN :person IS NULL OR p.id = :person THEN p.observed ELSE 1 END AS observed,
    CASE WHEN :person IS NULL OR p.id = :person THEN (
        SELECT json_group_array(json_object(
            'platform', i.platform, 'external_id', i.external_id, 'name', i.name
        )) FROM (
            SELECT * FROM identities WHERE person_id = p.id ORDER BY platform, external_id
        ) AS i
    ) ELSE '[]' END AS accounts
FROM people AS p
WHERE p.id > :after AND p.merged_into IS NULL
    AND (:person IS NULL OR p.id = :person OR p.id IN (SELECT about FROM told)
        OR p.id IN (SELECT origin FROM told) OR p.id IN (SELECT author FROM told))
ORDER BY p.id LIMIT :limit

-- name: audiences_of_space
SELECT 'space:' || :space AS audience
UNION ALL SELECT 'room:' || id FROM rooms WHERE space = :space AND kind = 'group'

-- name: seen_there
-- Who said something there, is spoken of there or chose something for it, from which accounts, and
-- since when. An opt-out of an account that was heard nowhere holds everywhere.
WITH there AS MATERIALIZED (
    SELECT value AS audience FROM json_each(:audiences)
), seen AS (
    SELECT m.person_id AS person, coalesce(m.account, (
        SELECT min(i.platform || ':' || i.external_id) FROM identities AS i
        WHERE i.person_id = m.person_id AND i.platform = m.platform HAVING count(*) = 1
    )) AS account, m.sent_at AS at
    FROM messages AS m
    WHERE m.audience IN (SELECT audience FROM there) AND m.author_kind = 'person'
    UNION ALL
    SELECT person_id, account, at FROM turns WHERE audience IN (SELECT audience FROM there)
    UNION ALL
    SELECT w.value, iif(w.key = 0, account, NULL), created_at
    FROM memories, json_each(json_array(author_id, about_person, person_id)) AS w
    WHERE audience IN (SELECT audience FROM there) AND forgotten_at IS NULL
    UNION ALL
    SELECT w.value, iif(w.key = 0, account, NULL), created_at
    FROM knowledge, json_each(json_array(person_id, about_person)) AS w
    WHERE audience IN (SELECT audience FROM there) AND content <> ''
    UNION ALL
    SELECT person_id, account, created_at FROM reminders
    WHERE audience IN (SELECT audience FROM there) AND state = 'open'
    UNION ALL
    SELECT person_id, NULL, created_at FROM quiet_topics
    WHERE audience IN (SELECT audience FROM there)
    UNION ALL
    SELECT person_id, NULL, NULL FROM value_marks WHERE audience IN (SELECT audience FROM there)
    UNION ALL
    SELECT person_id, NULL, NULL FROM space_members WHERE space = :space
    UNION ALL
    SELECT c.person_id, c.account, c.since FROM checkin_rooms AS c
    JOIN rooms AS r ON r.id = c.room_id WHERE r.space = :space AND r.kind = 'group'
    UNION ALL
    SELECT i.person_id, e.account, e.at FROM messages AS m
    JOIN reactions AS e ON e.message_id = m.id
    JOIN identities AS i ON i.platform = substr(e.account, 1, instr(e.account, ':') - 1)
        AND i.external_id = substr(e.account, instr(e.account, ':') + 1)
    WHERE m.audience IN (SELECT audience FROM there)
    UNION ALL
    SELECT p.id, i.platform || ':' || i.external_id, NULL FROM people AS p
    JOIN identities AS i ON i.person_id = p.id
        AND i.platform IN (SELECT platform FROM rooms WHERE space = :space AND kind = 'group')
    WHERE NOT p.observed
        AND NOT EXISTS (
            SELECT 1 FROM messages AS m WHERE m.person_id = p.id AND m.author_kind = 'person'
        )
)
SELECT s.person, i.platform, i.external_id, min(s.at) AS at FROM (
    SELECT coalesce(p.merged_into, p.id) AS person, account, at
    FROM seen JOIN people AS p ON p.id = seen.person
) AS s
LEFT JOIN identities AS i ON i.person_id = s.person
    AND i.platform || ':' || i.external_id = s.account
GROUP BY s.person, i.platform, i.external_id
ORDER BY s.person, i.platform, i.external_id

-- name: people_there
-- Under the name that was last used there; what they are called elsewhere is for those alone.
SELECT p.id, p.observed, p.created_at,
    coalesce((
        SELECT a.spelling FROM aliases AS a
        WHERE a.person_id = p.id AND a.audience IN (SELECT value FROM json_each(:audiences))
        ORDER BY a.memory_id IS NOT NULL, a.spoken_at DESC, a.rowid DESC LIMIT 1
    ), (
        SELECT s.subject FROM memories AS m JOIN memory_subjects AS s ON s.memory_id = m.id
        WHERE m.about_person = p.id AND m.forgotten_at IS NULL
            AND m.audience IN (SELECT value FROM json_each(:audiences))
            AND s.subject COLLATE NOCASE IN (
                SELECT p.name UNION SELECT name FROM identities WHERE person_id = p.id
            )
        ORDER BY m.seq DESC LIMIT 1
    ), :pseudonym) AS name
FROM people AS p
WHERE p.id > :after AND p.id IN (SELECT value FROM json_each(:people))
ORDER BY p.id LIMIT :limit

-- name: rooms_there
-- Those of the space, and those that were: what these are now is another one's.
SELECT id, platform, external_id, iif(space = :space, name, :pseudonym) AS name, kind, role, proposed,
    :space AS space, confidential, public, iif(space = :space, parent, NULL) AS parent,
    iif(space = :space, starter, NULL) AS starter, iif(space = :space, community, '') AS community,
    created_at
FROM rooms
WHERE id > :after AND kind = 'group' AND (space = :space OR id IN (
    SELECT room_id FROM messages WHERE audience = 'space:' || :space
    UNION SELECT room_id FROM memories WHERE audience = 'space:' || :space
    UNION SELECT room_id FROM knowledge WHERE audience = 'space:' || :space
    UNION SELECT room_id FROM turns WHERE audience = 'space:' || :space
))
ORDER BY id LIMIT :limit

-- name: space_settings
SELECT 'greeted' AS kind, NULL AS room, NULL AS person, '' AS value, 0 AS confidential,
    greeted_at AS at, NULL AS until
FROM greeted_spaces WHERE space = :space
UNION ALL
SELECT 'everyone_role', NULL, NULL, role, 0, chosen_at, NULL FROM member_roles WHERE space = :space
UNION ALL
SELECT 'pause', NULL, NULL, '', 0, since, until FROM pauses WHERE space = :space
UNION ALL
SELECT 'member', NULL, person_id, '', 0, 0, NULL FROM space_members WHERE space = :space
UNION ALL
SELECT 'room', c.room_id, NULL, coalesce(c.role, ''), c.confidential, c.chosen_at, NULL
FROM room_choices AS c JOIN rooms AS r ON r.id = c.room_id
WHERE r.space = :space AND r.kind = 'group'
UNION ALL
SELECT 'checkins', c.room_id, c.person_id, c.locale, 0, c.since, NULL
FROM checkin_rooms AS c JOIN rooms AS r ON r.id = c.room_id
WHERE r.space = :space AND r.kind = 'group'

-- name: stones
SELECT t.id, t.kind, t.audience, t.content, t.telling, t.forgotten_at, f.id AS number, f.token, (
    SELECT json_group_array(s.stem) FROM tombstone_stems AS s WHERE s.tombstone_id = t.id
) AS stems
FROM tombstones AS t JOIN forgettings AS f ON f.id = t.forgetting_id
WHERE t.id > :after AND t.audience IN (SELECT value FROM json_each(:audiences))
ORDER BY t.id LIMIT :limit

-- name: values_marked
SELECT v.audience, v.mark, (
        SELECT coalesce(merged_into, id) FROM people WHERE id = v.person_id
    ) AS person, f.id AS number, f.token,
    coalesce(f.forgotten_at, f.previewed_at) AS forgotten_at
FROM value_marks AS v JOIN forgettings AS f ON f.id = v.forgetting_id
WHERE v.audience IN (SELECT value FROM json_each(:audiences))
    AND (v.audience, v.mark, v.forgetting_id) > (:after, :after_id, :after_last)
ORDER BY v.audience, v.mark, v.forgetting_id LIMIT :limit

-- name: rooms
WITH told AS (
    SELECT m.room_id FROM messages AS m
    WHERE m.person_id = :person AND (:within IS NULL OR m.audience IN (SELECT value FROM json_each(:within)))
    UNION SELECT t.room_id FROM turns AS t
    WHERE t.person_id = :person AND (:within IS NULL OR t.audience IN (SELECT value FROM json_each(:within)))
    UNION SELECT s.room_id FROM sessions AS s WHERE s.person_id = :person AND :within IS NULL
    UNION SELECT r.room_id FROM reminders AS r
    WHERE r.person_id = :person AND r.state = 'open'
        AND (:within IS NULL OR r.audience IN (SELECT value FROM json_each(:within)))
    UNION SELECT m.room_id FROM memories AS m
    WHERE m.forgotten_at IS NULL AND m.audience IN (SELECT value FROM json_each(:audiences))
        AND (:person IN (m.about_person, m.person_id, m.author_id) OR EXISTS (
            SELECT 1 FROM memory_subjects AS s JOIN json_each(:names) AS n
                ON s.subject = n.value COLLATE NOCASE
            WHERE s.memory_id = m.id
        ))
    UNION SELECT k.room_id FROM knowledge AS k
    WHERE k.audience IN (SELECT value FROM json_each(:audiences))
        AND (k.about_person = :person OR k.person_id = :person)
)
-- One that was closed since has no name for those outside.
SELECT id, platform, external_id, kind, role, proposed, space, confidential, public, parent, starter,
    community, created_at,
    iif(
        confidential AND :within IS NOT NULL
            AND 'room:' || id NOT IN (SELECT value FROM json_each(:within)),
        external_id, name
    ) AS name
FROM rooms
WHERE id > :after AND (:person IS NULL OR id IN (SELECT room_id FROM told))
ORDER BY id LIMIT :limit

-- name: sessions
SELECT * FROM sessions
WHERE id > :after AND (:person IS NULL OR person_id = :person)
    AND (:since IS NULL OR last_at >= :since)
    AND (:within IS NULL OR id IN (
        SELECT session_id FROM turns
        WHERE (:person IS NULL OR person_id = :person) AND audience IN (SELECT value FROM json_each(:within))
    ))
ORDER BY id LIMIT :limit

-- name: turns
-- A reply goes with what it repeats.
SELECT t.*, t.seq <= s.extracted_to AS extracted, t.seq <= s.compacted_to AS compacted,
    :within IS NOT NULL AND EXISTS (
        SELECT 1 FROM json_each(t.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:within))
    ) AS is_mute
FROM turns AS t JOIN sessions AS s ON s.id = t.session_id
WHERE t.seq > :after AND (:person IS NULL OR t.person_id = :person)
    AND (:since IS NULL OR (t.at >= :since AND s.last_at >= :since))
    AND (t.text <> '' OR t.reply <> '')
    AND (:within IS NULL OR t.audience IN (SELECT value FROM json_each(:within)))
ORDER BY t.seq LIMIT :limit

-- name: messages
SELECT m.*, EXISTS (SELECT 1 FROM live_messages AS l WHERE l.message_id = m.id) AS live,
    iif(:person IS NULL, (
        SELECT json_group_array(json_object(
            'emoji', e.emoji, 'account', e.account, 'name', e.name, 'at', e.at
        )) FROM reactions AS e WHERE e.message_id = m.id
    ), '[]') AS reactions
FROM messages AS m
WHERE m.room_id = :room AND (m.sent_at, m.id) > (:after, :after_id)
    AND (:person IS NULL OR m.person_id = :person)
    AND (:since IS NULL OR m.sent_at >= :since)
    AND m.deleted_at IS NULL AND m.text <> ''
    AND (:within IS NULL OR m.audience IN (SELECT value FROM json_each(:within)))
    AND (:within IS NULL OR m.author_kind <> 'pet' OR NOT EXISTS (
        SELECT 1 FROM turns AS t CROSS JOIN json_each(t.carries) AS c
        WHERE t.id = m.turn_id AND c.value NOT IN (SELECT value FROM json_each(:within))
    ))
ORDER BY m.sent_at, m.id LIMIT :limit

-- name: memories
-- From which accounts others spoke is for themselves to know.
SELECT m.*, iif(:person IS NULL OR m.author_id = :person, m.account, NULL) AS known_account, (
    SELECT json_group_array(s.subject) FROM (
        SELECT subject FROM memory_subjects WHERE memory_id = m.id ORDER BY position
    ) AS s
) AS subjects, (
    SELECT json_group_array(json_array(x.platform, x.external_id)) FROM (
        SELECT g.platform, g.external_id FROM memory_sources AS o
        JOIN messages AS g ON g.id = o.message_id
        WHERE o.memory_id = m.id AND g.deleted_at IS NULL AND g.text <> ''
            AND (:person IS NULL OR g.person_id = :person)
            AND (:within IS NULL OR g.audience IN (SELECT value FROM json_each(:within)))
        ORDER BY g.platform, g.external_id
    ) AS x
) AS messages
FROM memories AS m
-- From the last to the first: what took a place mostly stands before what lost it.
WHERE (m.created_at, m.id) < (:after, :after_id) AND m.forgotten_at IS NULL
    AND (:since IS NULL OR m.updated_at >= :since)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:space IS NULL OR m.superseded_by IS NULL OR EXISTS (
        SELECT 1 FROM memories AS h WHERE h.id = m.superseded_by AND h.forgotten_at IS NULL
            AND h.audience IN (SELECT value FROM json_each(:audiences))
    ))
    AND (:person IS NULL OR :person IN (m.about_person, m.person_id, m.author_id) OR EXISTS (
        SELECT 1 FROM memory_subjects AS s JOIN json_each(:names) AS n
            ON s.subject = n.value COLLATE NOCASE
        WHERE s.memory_id = m.id
    ))
ORDER BY m.created_at DESC, m.id DESC LIMIT :limit

-- name: associations
SELECT * FROM associations
WHERE seq > :after
    AND from_id IN (SELECT id FROM memories WHERE forgotten_at IS NULL)
    AND to_id IN (SELECT id FROM memories WHERE forgotten_at IS NULL)
ORDER BY seq LIMIT :limit

-- name: knowledge
SELECT * FROM knowledge AS k
WHERE k.seq > :after AND k.content <> '' AND (:space IS NULL OR k.kind <> 'note')
    AND (:since IS NULL OR k.at >= :since)
    AND (:audiences IS NULL OR k.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:within IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(k.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:within))
    ))
    AND (:person IS NULL OR k.about_person = :person OR k.person_id = :person)
ORDER BY k.seq LIMIT :limit

-- name: core_facts
SELECT c.* FROM core_facts AS c
WHERE c.id > :after
    AND (:audiences IS NULL OR c.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:person IS NULL OR c.person_id = :person)
ORDER BY c.id LIMIT :limit

-- name: reminders
SELECT r.*, m.platform, m.external_id FROM reminders AS r
LEFT JOIN messages AS m ON m.id = r.message_id AND m.deleted_at IS NULL
WHERE r.id > :after AND r.state = 'open'
    AND (:person IS NULL OR r.person_id = :person)
    AND (:since IS NULL OR r.created_at >= :since)
    AND (:within IS NULL OR r.audience IN (SELECT value FROM json_each(:within)))
ORDER BY r.id LIMIT :limit

-- name: quiet_topics
-- What somebody who was heard in a space wants left alone goes along with it, as their own.
SELECT q.person_id, q.topic, q.created_at, iif(
    :space IS NULL OR q.audience IN (SELECT value FROM json_each(:audiences)),
    q.audience, 'person:' || q.person_id
) AS audience
FROM quiet_topics AS q
WHERE (q.person_id, q.topic) > (:after, :after_id)
    AND (:person IS NULL OR q.person_id = :person)
    AND (:since IS NULL OR q.created_at >= :since)
    AND (:within IS NULL OR q.audience IN (SELECT value FROM json_each(:within))
        OR :space IS NOT NULL AND EXISTS (
            SELECT 1 FROM messages AS m
            WHERE m.person_id = q.person_id AND m.author_kind = 'person'
                AND m.audience IN (SELECT value FROM json_each(:audiences))
        ))
ORDER BY q.person_id, q.topic LIMIT :limit
