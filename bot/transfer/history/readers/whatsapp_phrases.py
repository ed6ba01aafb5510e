"""What WhatsApp itself writes into its exports, in the languages that most of them are in; pure."""

import re

_EDITED = re.compile(
    r"(?:(?<=\S)\s?\u200e<[^<>:\n]{3,80}|\s?\u200e?<(?:This message was edited"
    r"|Ce message a été modifié"
    r"|Diese Nachricht wurde bearbeitet|Se editó este mensaje|Questo messaggio è stato modificato"
    r"|Mensagem editada"
    r"|Esta mensagem foi editada|Dit bericht is bewerkt|このメッセージは編集されました"
    r"|تم تعديل هذه الرسالة|Сообщение изменено|Данное сообщение изменено|Bu mesaj düzenlendi"
    r"|Wiadomość edytowana|Pesan ini diedit|此訊息已編輯|此消息已编辑|이 메시지는 수정되었습니다)"
    r"\.?)>$"
)
"""On iPhones what the program says there has a sign before it, in any language."""

_DELETED = frozenset({
    "this message was deleted", "you deleted this message",
    "ce message a été supprimé", "vous avez supprimé ce message",
    "diese nachricht wurde gelöscht", "du hast diese nachricht gelöscht",
    "se eliminó este mensaje", "este mensaje fue eliminado", "eliminaste este mensaje",
    "questo messaggio è stato eliminato", "hai eliminato questo messaggio",
    "mensagem apagada", "esta mensagem foi apagada", "você apagou esta mensagem",
    "このメッセージは削除されました", "あなたはこのメッセージを削除しました",
    "تم حذف هذه الرسالة", "لقد حذفت هذه الرسالة", "حذفت هذه الرسالة",
    "данное сообщение удалено", "вы удалили данное сообщение", "это сообщение удалено",
    "bu mesaj silindi", "bu mesajı sildiniz", "ta wiadomość została usunięta",
    "usunięto tę wiadomość", "pesan ini telah dihapus", "anda menghapus pesan ini",
    "此訊息已刪除", "您已刪除此訊息", "此消息已删除", "您删除了这条消息", "삭제된 메시지입니다",
    "message deleted", "message supprimé", "nachricht gelöscht", "mensaje eliminado",
    "dit bericht is verwijderd", "je hebt dit bericht verwijderd", "u hebt dit bericht verwijderd",
})  # fmt: skip

_VOWEL_SIGNS = dict.fromkeys(range(0x64B, 0x653))
"""Arabic is written with them or without."""

_LEFT_OUT = re.compile(r"<[^<>\n]{4,60}>")
"""A line that is all in such signs, in any language: "<Media omitted>"."""

_MISSING = re.compile(
    r"(?P<what>[^\n]{1,80}) (?:omitted|absente?|omise?|manquante?|retirée?|weggelassen|omitid[oa]"
    r"|omess[oa]|esclus[oa]|ocultad[oa]|ocult[oa]|weggelaten)",
    re.IGNORECASE,
)
"""A picture and the like that was not exported, as iPhones name it."""

_ATTACHED = re.compile(
    r"<(?:attached|pièce jointe|anhang|adjunto|archivo adjunto|allegato|anexado|bijgevoegd)"
    r"\s?: (?P<in_marks>[^<>\n]{1,255})>|(?P<bare>[^<>\n()]{1,255}\.\w{2,5})"
    r" \((?:file attached|fichier joint|datei angehängt|archivo adjunto|file allegato"
    r"|arquivo anexado|ficheiro anexado|bestand bijgevoegd)\)",
    re.IGNORECASE,
)

_POLL = re.compile(
    r"(?:poll|sondage|umfrage|encuesta|sondaggio|enquete|sondagem|peiling)\s?:\s?(?P<text>.*)",
    re.IGNORECASE,
)


def without_edited_mark(text: str) -> str:
    """The text without the note behind it that it was edited."""
    return _EDITED.sub("", text)


def is_deleted(text: str) -> bool:
    """Whether a message was taken back, by its author or by an admin."""
    return text.rstrip(".。").translate(_VOWEL_SIGNS).lower() in _DELETED


def file_and_caption(text: str) -> tuple[str, str] | None:
    """The name or kind of what came along, and the words under it; None where nothing did."""
    first, _, caption = text.partition("\n")
    if found := _ATTACHED.fullmatch(first):
        return found["in_marks"] or found["bare"], caption
    return ("media", caption) if _LEFT_OUT.fullmatch(first) else None


def missing_file(text: str) -> str | None:
    """The kind of what an iPhone left out of the export."""
    found = _MISSING.fullmatch(text)
    return found["what"] if found else None


def question_of_poll(text: str) -> str | None:
    """What a poll asks; its options are of no author."""
    first, _, rest = text.partition("\n")
    found = _POLL.fullmatch(first)
    return (found["text"] or rest.partition("\n")[0]).strip() if found else None
