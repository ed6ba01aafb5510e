-- What recall considers, with the columns that it weighs and no others: candidates.py reads them by
-- their places.

-- name: statements
SELECT store, id, revision, content, updated_at, said_by, author_id, about_person, subject_list,
    importance, search_text, room_id, access_count
FROM recalled_memories
WHERE id IN (SELECT value FROM json_each(:ids))
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (expires_at IS NULL OR expires_at > :now)

-- name: statements_by_text
-- The best rows are chosen first: their subjects are then looked up for those only.
WITH best AS MATERIALIZED (
    SELECT m.seq, f.rank FROM memories_fts AS f
    CROSS JOIN memories AS m ON m.seq = f.rowid
    WHERE memories_fts MATCH :match AND m.store IN (SELECT value FROM json_each(:stores))
        AND m.superseded_by IS NULL AND m.forgotten_at IS NULL
        AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
        AND (m.expires_at IS NULL OR m.expires_at > :now)
    ORDER BY +f.rank LIMIT :limit
)
SELECT m.store, m.id, m.revision, m.content, m.updated_at, m.said_by, m.author_id, m.about_person,
    m.subject_list, m.importance, m.search_text, m.room_id, m.access_count
FROM best CROSS JOIN recalled_memories AS m ON m.seq = best.seq ORDER BY best.rank

-- name: statements_recent
SELECT store, id, revision, content, updated_at, said_by, author_id, about_person, subject_list,
    importance, search_text, room_id, access_count
FROM recalled_memories
WHERE store = :store AND created_at >= :since AND room_id = :room
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (expires_at IS NULL OR expires_at > :now)
ORDER BY created_at DESC, seq DESC LIMIT :limit

-- name: statements_between
SELECT store, id, revision, content, updated_at, said_by, author_id, about_person, subject_list,
    importance, search_text, room_id, access_count
FROM recalled_memories
WHERE store = :store AND valid_from >= :start AND valid_from < :end
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (expires_at IS NULL OR expires_at > :now)
ORDER BY importance DESC, valid_from DESC LIMIT :limit

-- name: statements_important
-- Along the index from the most important and freshest on, until there are enough.
SELECT m.store, m.id, m.revision, m.content, m.updated_at, m.said_by, m.author_id, m.about_person,
    m.subject_list, m.importance, m.search_text, m.room_id, m.access_count
FROM memory_subjects AS s
CROSS JOIN recalled_memories AS m ON m.id = s.memory_id
WHERE s.subject = :name COLLATE NOCASE AND s.store = :store AND s.importance > 0.8
    AND coalesce(m.about_person = :person, 1)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    AND (m.expires_at IS NULL OR m.expires_at > :now)
ORDER BY s.importance DESC, s.updated_at DESC LIMIT :limit

-- name: words_of_category
SELECT id, search_text FROM recalled_memories
WHERE store = :store AND category = :category
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (expires_at IS NULL OR expires_at > :now)
ORDER BY created_at DESC LIMIT :limit

-- name: statements_about
SELECT store, id, revision, content, updated_at, said_by, author_id, about_person, subject_list,
    importance, search_text, room_id, access_count
FROM recalled_memories
WHERE (:category IS NULL OR category = :category)
    AND (:memory_type IS NULL OR memory_type = :memory_type)
    AND id IN (
        SELECT memory_id FROM memory_subjects
        WHERE subject COLLATE NOCASE IN (SELECT value FROM json_each(:names))
            AND store = :store
    )
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (expires_at IS NULL OR expires_at > :now)
ORDER BY updated_at DESC LIMIT :limit

-- name: statements_latest
-- Of the pet's own stores: few rows among all that is known, with an index of their own.
SELECT store, id, revision, content, updated_at, said_by, author_id, about_person, subject_list,
    importance, search_text, room_id, access_count
FROM recalled_memories
WHERE store = :store AND store <> 'memory'
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (expires_at IS NULL OR expires_at > :now)
ORDER BY created_at DESC, seq DESC LIMIT :limit

-- name: messages
SELECT id, text, sent_at, author, person_id, search_text, room_id FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND deleted_at IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))

-- name: overheard
SELECT id, text, sent_at, author, person_id, search_text, room_id FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND handling = 'observed' AND deleted_at IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))

-- name: overheard_by_text
WITH best AS MATERIALIZED (
    SELECT m.id, f.rank FROM messages_fts AS f
    CROSS JOIN messages AS m ON m.id = f.rowid
    WHERE messages_fts MATCH :match AND m.handling = 'observed' AND m.deleted_at IS NULL
        AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    ORDER BY +f.rank LIMIT :limit
)
SELECT m.id, m.text, m.sent_at, m.author, m.person_id, m.search_text, m.room_id
FROM best CROSS JOIN messages AS m ON m.id = best.id ORDER BY best.rank

-- name: overheard_between
-- Room by room, because that is how the index goes; what says most comes first.
SELECT m.id, m.text, m.sent_at, m.author, m.person_id, m.search_text, m.room_id
FROM rooms AS r CROSS JOIN messages AS m ON m.room_id = r.id
WHERE m.sent_at >= :start AND m.sent_at < :end
    AND m.handling = 'observed' AND m.deleted_at IS NULL
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY length(m.search_text) DESC LIMIT :limit

-- name: exchanges
SELECT id, text, iif(error IS NULL, reply, ''), at, speaker, person_id, search_text, room_id FROM turns
WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'delivered' AND search_text <> ''
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))

-- name: exchanges_by_text
WITH best AS MATERIALIZED (
    SELECT t.seq, f.rank FROM turns_fts AS f
    CROSS JOIN turns AS t ON t.seq = f.rowid
    WHERE turns_fts MATCH :match AND t.state = 'delivered'
        AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
        AND (:audiences IS NULL OR t.carries = '[]' OR NOT EXISTS (
            SELECT 1 FROM json_each(t.carries) AS c
            WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
        ))
    ORDER BY +f.rank LIMIT :limit
)
SELECT t.id, t.text, iif(t.error IS NULL, t.reply, ''), t.at, t.speaker, t.person_id, t.search_text,
    t.room_id
FROM best CROSS JOIN turns AS t ON t.seq = best.seq ORDER BY best.rank

-- name: exchanges_between
SELECT id, text, iif(error IS NULL, reply, ''), at, speaker, person_id, search_text, room_id FROM turns
WHERE person_id = :person AND at >= :start AND at < :end AND state = 'delivered'
    AND search_text <> ''
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
ORDER BY at DESC LIMIT :limit

-- name: knowledge
SELECT id, kind, revision, title, content, at, said_by, about_person, search_text, room_id
FROM recalled_knowledge
WHERE id IN (SELECT value FROM json_each(:ids)) AND retired_at IS NULL
    AND (:without IS NULL OR channel <> :without)
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))

-- name: knowledge_by_text
WITH best AS MATERIALIZED (
    SELECT k.seq, f.rank FROM knowledge_fts AS f
    CROSS JOIN knowledge AS k ON k.seq = f.rowid
    WHERE knowledge_fts MATCH :match AND k.retired_at IS NULL
        AND (:without IS NULL OR k.channel <> :without)
        AND (:audiences IS NULL OR k.audience IN (SELECT value FROM json_each(:audiences)))
        AND (:audiences IS NULL OR k.carries = '[]' OR NOT EXISTS (
            SELECT 1 FROM json_each(k.carries) AS c
            WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
        ))
    ORDER BY +f.rank LIMIT :limit
)
SELECT k.id, k.kind, k.revision, k.title, k.content, k.at, k.said_by, k.about_person,
    k.search_text, k.room_id
FROM best CROSS JOIN recalled_knowledge AS k ON k.seq = best.seq ORDER BY best.rank

-- name: knowledge_about
SELECT id, kind, revision, title, content, at, said_by, about_person, search_text, room_id
FROM recalled_knowledge
WHERE about_person = :about AND kind = :kind AND retired_at IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
ORDER BY at DESC, seq DESC LIMIT :limit

-- name: knowledge_between
-- What speaks of a stretch that touches this one.
SELECT id, kind, revision, title, content, at, said_by, about_person, search_text, room_id
FROM recalled_knowledge
WHERE kind = :kind AND at >= :start AND coalesce(since, at) < :end AND retired_at IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
ORDER BY at DESC LIMIT :limit

-- name: beside
-- Each hit walks its own stretch of the index two steps back and two on.
WITH hits AS MATERIALIZED (
    SELECT id, room_id, sent_at FROM messages WHERE id IN (SELECT value FROM json_each(:ids))
), pairs AS MATERIALIZED (
    SELECT hits.id AS hit, near.value AS id, -1 - near.key AS offset
    FROM hits CROSS JOIN json_each((
        SELECT json_group_array(id) FROM (
            SELECT p.id FROM messages AS p
            WHERE p.room_id = hits.room_id AND p.handling = 'observed' AND p.deleted_at IS NULL
                AND p.sent_at BETWEEN hits.sent_at - :reach AND hits.sent_at
                AND (p.sent_at < hits.sent_at OR p.id < hits.id)
            ORDER BY p.sent_at DESC, p.id DESC LIMIT 2
        )
    )) AS near
    UNION ALL
    SELECT hits.id AS hit, near.value AS id, 1 + near.key AS offset
    FROM hits CROSS JOIN json_each((
        SELECT json_group_array(id) FROM (
            SELECT p.id FROM messages AS p
            WHERE p.room_id = hits.room_id AND p.handling = 'observed' AND p.deleted_at IS NULL
                AND p.sent_at BETWEEN hits.sent_at AND hits.sent_at + :reach
                AND (p.sent_at > hits.sent_at OR p.id > hits.id)
            ORDER BY p.sent_at, p.id LIMIT 2
        )
    )) AS near
)
SELECT pairs.id, pairs.hit, pairs.offset FROM pairs
CROSS JOIN messages AS m ON m.id = pairs.id
WHERE (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))

-- name: at_hand
-- The first pieces of some notes, in the order of the note.
SELECT p.path, p.knowledge_id FROM note_pieces AS p
JOIN knowledge AS k ON k.id = p.knowledge_id
WHERE p.path IN (SELECT value FROM json_each(:paths)) AND p.position < :most
    AND k.retired_at IS NULL
    AND (:audiences IS NULL OR k.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR k.carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(k.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
ORDER BY p.path, p.position
