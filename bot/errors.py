"""What can go wrong between a message and its reply, each with its sentence."""


class BotError(Exception):
    """Root of everything this package raises."""


class ModelUnavailable(BotError):
    """The model cannot be reached or is overloaded; asking again later may work."""


class ModelTooSlow(ModelUnavailable):
    """The model did not answer within its limit; a person has waited that long already."""


class ModelRefused(BotError):
    """The model's service refused the request as it is; asking again will not help."""


class ModelAccessDenied(ModelRefused):
    """The model's service refuses this key, account, model or address, whatever is asked."""


class BudgetExhausted(BotError):
    """The daily cap for this purpose or this person is used up."""


class DeliveryFailed(BotError):
    """The platform did not take the reply; it is kept and sent again."""


class ChannelAway(DeliveryFailed):
    """There is no connection to the platform; what is kept is sent when there is one again."""


class DeliveryRefused(DeliveryFailed):
    """The platform will never take this reply; it is given up, and its room alone misses it."""


class WordsExpected(BotError):
    """A turn may not end without words here; the tools that do so say what is taken instead."""


class RoomUnreadable(BotError):
    """A room is gone from its platform, or the pet may not read it any more."""


class PastUnavailable(BotError):
    """The platform did not say what a room said before; asking again later may work."""


class RoomAway(PastUnavailable):
    """The community of a room is not there now; its platform tells when it is there again."""


class AlreadyRunning(BotError):
    """Another process holds the data folder."""


class ShardsTaken(BotError):
    """Another process of the pet has these shards, or the data folder is of others."""


class FolderRefused(BotError):
    """The data folder or that of the backups cannot be made, read or written to."""


class PartMissing(BotError):
    """A library is not installed that something chosen needs; the sentence says how to get it."""


class NotYourRoom(BotError):
    """A direct room belongs to one person, and this is another."""


class NotAPicture(BotError):
    """A file is no picture that a model reads, or too large for one."""


class NotASound(BotError):
    """A file is no voice note that a browser records, or too long for one."""


class NotYourMessage(BotError):
    """A message can be changed from the account alone that wrote it."""


class MessageGone(BotError):
    """There is no such message any more."""


class NameOfPet(BotError):
    """A person chose the pet's name, or one that is read as it; another one is asked for."""


class NameOfNamesake(BotError):
    """A person chose what the pet calls one of several people of a name; another is asked for."""


class NobodyListens(BotError):
    """The daemon is starting or stopping and takes no messages; say it again in a moment."""


class MessageTooLong(BotError):
    """A message has more characters than the channel takes."""


class TooFast(BotError):
    """More messages come than are taken from one person or address; the words were not kept."""


class PortTaken(BotError):
    """The page cannot be served at this address; the sentence says why."""
