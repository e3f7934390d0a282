"""From words to readings: candidate forms, and the decoder of many words."""
