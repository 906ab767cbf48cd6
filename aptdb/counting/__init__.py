"""From trees to counts: corpora go in and come out, lexicons are merged, counted anew, and proved."""
