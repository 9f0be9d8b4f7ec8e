// Node writes a byte beyond its memory where letters of two bytes are read from an odd place and the last one is half, as a damaged
// document may have them. Half a letter is none: for our readers, and for the libraries that they use.
const { toString: toStringOfAll } = Buffer.prototype;
const TWO_BYTES = /^(utf-?16le|ucs-?2)$/i;

Buffer.prototype.toString = function toStringOfWholeLetters(encoding, from, to) {
  if (!TWO_BYTES.test(encoding)) return toStringOfAll.call(this, encoding, from, to);
  const start = Math.max(0, Math.trunc(from) || 0);
  const end = to === undefined ? this.length : Math.min(Math.trunc(to) || 0, this.length);
  return end <= start ? "" : toStringOfAll.call(this, encoding, start, end - ((end - start) & 1));
};
