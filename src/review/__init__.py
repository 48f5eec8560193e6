"""Document review: what a red team finds in a document, what survives its defence, what is so."""
