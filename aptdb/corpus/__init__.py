"""Text in: where a corpus comes from, how it is packed and written, and what is at fault in it."""
