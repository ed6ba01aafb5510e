-- name: messages
SELECT m.id, m.text FROM messages AS m
WHERE m.deleted_at IS NULL
    AND (:person IS NULL OR m.person_id = :person)
    AND (:room IS NULL OR m.room_id = :room)
    AND (:start IS NULL OR m.sent_at >= :start) AND (:end IS NULL OR m.sent_at < :end)
    AND (:asker IS NULL OR m.person_id = :asker)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: messages_by_words
SELECT m.id, m.text FROM messages_fts AS f
CROSS JOIN messages AS m ON m.id = f.rowid
WHERE messages_fts MATCH :match AND m.deleted_at IS NULL
    AND (:person IS NULL OR m.person_id = :person)
    AND (:room IS NULL OR m.room_id = :room)
    AND (:start IS NULL OR m.sent_at >= :start) AND (:end IS NULL OR m.sent_at < :end)
    AND (:asker IS NULL OR m.person_id = :asker)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: long_messages
-- Of a text so long full text holds the beginning only.
SELECT m.id, m.text FROM messages AS m
WHERE m.deleted_at IS NULL AND length(m.search_text) > :longest
    AND (:person IS NULL OR m.person_id = :person)
    AND (:room IS NULL OR m.room_id = :room)
    AND (:start IS NULL OR m.sent_at >= :start) AND (:end IS NULL OR m.sent_at < :end)
    AND (:asker IS NULL OR m.person_id = :asker)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: messages_by_id
SELECT m.id FROM messages AS m
WHERE m.id IN (SELECT value FROM json_each(:ids)) AND m.deleted_at IS NULL
    AND (:asker IS NULL OR m.person_id = :asker)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: turns
SELECT t.id FROM turns AS t
WHERE (t.text <> '' OR t.reply <> '' OR t.recalled <> '[]')
    AND (:person IS NULL OR t.person_id = :person)
    AND (:room IS NULL OR t.room_id = :room)
    AND (:start IS NULL OR t.at >= :start) AND (:end IS NULL OR t.at < :end)
    AND (:asker IS NULL OR t.person_id = :asker)
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))

-- name: turns_by_words
SELECT t.id FROM turns_fts AS f
CROSS JOIN turns AS t ON t.seq = f.rowid
WHERE turns_fts MATCH :match
    AND (:person IS NULL OR t.person_id = :person)
    AND (:room IS NULL OR t.room_id = :room)
    AND (:start IS NULL OR t.at >= :start) AND (:end IS NULL OR t.at < :end)
    AND (:asker IS NULL OR t.person_id = :asker)
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))

-- name: turns_unfound
-- Exchanges that full text does not hold, or not to their end.
SELECT t.id, t.text, t.reply FROM turns AS t
WHERE (t.search_text = '' OR length(t.search_text) > :longest)
    AND (t.text <> '' OR t.reply <> '')
    AND (:person IS NULL OR t.person_id = :person)
    AND (:room IS NULL OR t.room_id = :room)
    AND (:start IS NULL OR t.at >= :start) AND (:end IS NULL OR t.at < :end)
    AND (:asker IS NULL OR t.person_id = :asker)
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))

-- name: turns_by_id
SELECT t.id FROM turns AS t
WHERE t.id IN (SELECT value FROM json_each(:ids))
    AND (:asker IS NULL OR t.person_id = :asker)
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))

-- name: turns_of
SELECT DISTINCT turn_id AS id FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND turn_id IS NOT NULL

-- name: messages_of
-- Those of the pet only, or all of them.
SELECT id FROM messages
WHERE turn_id IN (SELECT value FROM json_each(:turns)) AND deleted_at IS NULL
    AND (:all OR author_kind = 'pet')

-- name: statements
WITH chosen AS MATERIALIZED (
    SELECT s.memory_id AS id FROM json_each(:messages) AS k
    JOIN memory_sources AS s ON s.message_id = k.value
    UNION
    SELECT value FROM json_each(:found)
)
SELECT m.id, m.store, m.content, m.said_by, m.person_id, m.about_person, m.audience, m.valid_from,
    m.forgotten_at,
    m.id IN (SELECT value FROM json_each(:ids)) AS named,
    (SELECT json_group_array(s.subject) FROM memory_subjects AS s WHERE s.memory_id = m.id)
        AS subjects,
    (
        SELECT json_group_array(json_object(
            'message', g.id, 'person', g.person_id, 'author', g.author, 'text', g.text,
            'goes', g.id IN (SELECT value FROM json_each(:messages)),
            'stands', NOT EXISTS (
                SELECT 1 FROM memories AS later
                WHERE later.slot = m.slot AND later.audience = m.audience AND later.id <> m.id
                    AND later.author_id = g.person_id AND later.valid_from >= g.sent_at
                    AND later.forgotten_at IS NULL
            ) AND NOT EXISTS (
                SELECT 1 FROM memory_sources AS t JOIN memories AS own ON own.id = t.memory_id
                WHERE t.message_id = g.id AND own.id <> m.id AND own.author_id = g.person_id
                    AND own.content = m.content AND own.forgotten_at IS NULL
            )
        ))
        FROM memory_sources AS s
        JOIN messages AS g ON g.id = s.message_id AND g.deleted_at IS NULL
        WHERE s.memory_id = m.id
    ) AS grounds
FROM memories AS m
WHERE m.id IN (SELECT id FROM chosen UNION SELECT value FROM json_each(:ids)) AND m.content <> ''
    AND (
        :audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences))
        OR m.id IN (
            SELECT s.memory_id FROM json_each(:messages) AS k
            JOIN memory_sources AS s ON s.message_id = k.value
        )
    )
ORDER BY m.seq DESC

-- name: statements_by_words
SELECT m.id FROM memories_fts AS f CROSS JOIN memories AS m ON m.seq = f.rowid
WHERE memories_fts MATCH :match
    AND (:room IS NULL OR m.room_id = :room)
    AND (:start IS NULL OR m.valid_from >= :start) AND (:end IS NULL OR m.valid_from < :end)

-- name: statements_of
-- What a person said or, by their names, what is about them.
SELECT m.id FROM memories AS m
WHERE (m.person_id = :person OR m.about_person = :person
        OR m.said_by COLLATE NOCASE IN (SELECT value FROM json_each(:names))
        OR m.id IN (
            SELECT memory_id FROM memory_subjects
            WHERE subject COLLATE NOCASE IN (SELECT value FROM json_each(:names))
        ))
    AND (:room IS NULL OR m.room_id = :room)
    AND (:start IS NULL OR m.valid_from >= :start) AND (:end IS NULL OR m.valid_from < :end)

-- name: statements_there
SELECT m.id FROM memories AS m
WHERE (:room IS NULL OR m.room_id = :room)
    AND (:start IS NULL OR m.valid_from >= :start) AND (:end IS NULL OR m.valid_from < :end)

-- name: knowledge
SELECT k.id, k.kind, k.content, k.at FROM knowledge AS k
WHERE k.content <> ''
    AND (:person IS NULL OR k.person_id = :person OR k.about_person = :person)
    AND (:room IS NULL OR k.room_id = :room)
    AND (:start IS NULL OR k.at >= :start) AND (:end IS NULL OR k.at < :end)
    AND (:asker IS NULL OR k.person_id = :asker OR k.about_person = :asker)
    AND (:audiences IS NULL OR k.audience IN (SELECT value FROM json_each(:audiences)))

-- name: knowledge_by_words
SELECT k.id, k.kind, k.content, k.at FROM knowledge_fts AS f
CROSS JOIN knowledge AS k ON k.seq = f.rowid
WHERE knowledge_fts MATCH :match AND k.content <> ''
    AND (:person IS NULL OR k.person_id = :person OR k.about_person = :person)
    AND (:room IS NULL OR k.room_id = :room)
    AND (:start IS NULL OR k.at >= :start) AND (:end IS NULL OR k.at < :end)
    AND (:asker IS NULL OR k.person_id = :asker OR k.about_person = :asker)
    AND (:audiences IS NULL OR k.audience IN (SELECT value FROM json_each(:audiences)))

-- name: knowledge_by_id
SELECT k.id, k.kind, k.content, k.at, k.audience, k.carries FROM knowledge AS k
WHERE k.id IN (SELECT value FROM json_each(:ids)) AND k.content <> ''
    AND (:asker IS NULL OR k.person_id = :asker OR k.about_person = :asker)
    AND (:audiences IS NULL OR k.audience IN (SELECT value FROM json_each(:audiences)))

-- name: reminders
SELECT r.id, r.text FROM reminders AS r
WHERE r.state = 'open'
    AND (:person IS NULL OR r.person_id = :person)
    AND (:room IS NULL OR r.room_id = :room)
    AND (:start IS NULL OR r.created_at >= :start) AND (:end IS NULL OR r.created_at < :end)
    AND (:asker IS NULL OR r.person_id = :asker)
    AND (:audiences IS NULL OR r.audience IN (SELECT value FROM json_each(:audiences)))

-- name: reminders_of
SELECT r.id FROM reminders AS r
WHERE r.message_id IN (SELECT value FROM json_each(:messages)) AND r.state = 'open'
    AND (:asker IS NULL OR r.person_id = :asker)
    AND (:audiences IS NULL OR r.audience IN (SELECT value FROM json_each(:audiences)))

-- name: reminders_by_id
SELECT r.id, r.text, r.created_at, r.person_id, r.audience FROM reminders AS r
WHERE r.id IN (SELECT value FROM json_each(:ids)) AND r.state = 'open'
    AND (:asker IS NULL OR r.person_id = :asker)
    AND (:audiences IS NULL OR r.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY r.id DESC

-- name: quiet_topics
SELECT q.person_id, q.topic FROM quiet_topics AS q
WHERE (:person IS NULL OR q.person_id = :person) AND :room IS NULL
    AND (:start IS NULL OR q.created_at >= :start) AND (:end IS NULL OR q.created_at < :end)
    AND (:asker IS NULL OR q.person_id = :asker)
    AND (:audiences IS NULL OR q.audience IN (SELECT value FROM json_each(:audiences)))

-- name: asked_with
SELECT text FROM messages WHERE id IN (SELECT value FROM json_each(:asking))

-- name: names_of
SELECT name FROM people WHERE id = :person
UNION SELECT name FROM identities WHERE person_id = :person
UNION SELECT spelling FROM aliases WHERE person_id = :person
UNION SELECT author FROM messages WHERE person_id = :person AND author_kind = 'person'

-- name: all_names
SELECT name FROM people WHERE merged_into IS NULL
UNION SELECT name FROM identities
UNION SELECT spelling FROM aliases

-- name: newest_messages
-- Each text once, with all that say it. Own words are shown anywhere but those of a closed room.
SELECT text, max(sent_at) AS at, json_group_array(id) AS ids FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND author_kind <> 'pet'
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences))
        OR (:own AND audience NOT GLOB 'room:*'))
GROUP BY text ORDER BY at DESC, max(id) DESC LIMIT :limit

-- name: newest_turns
SELECT CASE WHEN text <> '' THEN text ELSE reply END AS said, max(at) AS at,
    json_group_array(id) AS ids
FROM turns
WHERE id IN (SELECT value FROM json_each(:ids))
    AND (:audiences IS NULL OR (
        audience IN (SELECT value FROM json_each(:audiences))
        AND (text <> '' OR carries = '[]' OR NOT EXISTS (
            SELECT 1 FROM json_each(carries) AS c
            WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
        ))
    ) OR (:own AND text <> '' AND audience NOT GLOB 'room:*'))
GROUP BY said ORDER BY max(seq) DESC LIMIT :limit

-- name: kept_with
-- What rows rest on, and what goes with them: they stay only where that does.
WITH stated AS (
    SELECT value AS id FROM json_each(:memories)
    UNION
    SELECT memory_id FROM core_facts WHERE id IN (SELECT value FROM json_each(:knowledge))
), said AS (
    SELECT value AS id FROM json_each(:messages)
    UNION
    SELECT message_id FROM reminders
    WHERE id IN (SELECT value FROM json_each(:reminders)) AND message_id IS NOT NULL
    UNION
    SELECT message_id FROM memory_sources WHERE memory_id IN (SELECT id FROM stated)
    UNION
    SELECT id FROM messages WHERE turn_id IN (SELECT value FROM json_each(:turns))
)
SELECT 'messages' AS kind, id FROM said
UNION ALL SELECT 'turns', value FROM json_each(:turns)
UNION ALL
SELECT 'turns', turn_id FROM messages WHERE id IN (SELECT id FROM said) AND turn_id IS NOT NULL
UNION ALL SELECT 'memories', id FROM stated
UNION ALL SELECT 'reminders', value FROM json_each(:reminders)
UNION ALL SELECT 'reminders', id FROM reminders WHERE message_id IN (SELECT id FROM said)
UNION ALL SELECT 'knowledge', value FROM json_each(:knowledge)
UNION ALL
SELECT 'knowledge', id FROM core_facts WHERE memory_id IN (SELECT id FROM stated)

-- name: live_among
SELECT count(*) AS found FROM live_messages
WHERE message_id IN (SELECT value FROM json_each(:ids))
