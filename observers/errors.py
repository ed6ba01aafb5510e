"""What can go wrong while observing, each with its sentence."""


class ObserverError(Exception):
    """Root of everything this package raises."""


class ExtractorUnavailable(ObserverError):
    """Whatever extracts facts cannot be reached now; nothing is wrong with the text."""


class ExtractionFailed(ObserverError):
    """The extractor gave no usable answer for this text."""


class SummariserUnavailable(ObserverError):
    """Whatever summarises cannot be reached now; nothing is wrong with the words."""


class SummaryFailed(ObserverError):
    """The summariser gave no usable summary of these words."""
