-- Words that were read as ones without content, or a whole sentence as one word: "AI" and "IT" in
-- capitals, "en or", and scripts without spaces. Rows that have none keep what they are found by.
UPDATE messages SET search_text = search_text(text)
WHERE search_text <> '' AND is_read_anew(text);
UPDATE turns SET search_text = search_text(
    CASE WHEN error IS NULL THEN text || char(10) || reply ELSE text END
)
WHERE search_text <> '' AND is_read_anew(text || char(10) || reply);
UPDATE memories SET search_text = search_text(content || ' ' || coalesce(
    (SELECT group_concat(s.subject, ' ') FROM memory_subjects AS s WHERE s.memory_id = memories.id),
    ''
))
WHERE search_text <> '' AND is_read_anew(content || ' ' || coalesce(
    (SELECT group_concat(s.subject, ' ') FROM memory_subjects AS s WHERE s.memory_id = memories.id),
    ''
));
UPDATE knowledge SET search_text = search_text(knowledge_words(kind, title, content))
WHERE search_text <> '' AND is_read_anew(title || char(10) || content);
