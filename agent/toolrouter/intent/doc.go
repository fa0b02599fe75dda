// Package intent decides by keywords what a user's message wants: a picture, a
// look into the web, the time, or just talk. The router falls back on it when
// no model can be asked, so it must be fast and predictable, not wise.
//
// A message is read once, left to right. Its known words (the longest at each
// place) become hits; a clause of hits is judged by three tables of rules, and
// of the rules that fired in any clause the first in order is told.
//
// A clause ends at 。！？!?，,；;…, at a line break, and at a full stop or comma
// that does not stand inside a number or a word (3.5, 1,000, example.com). It
// does not end at 、 or a colon: what they join belongs together. A clause with
// more than 96 known words is cut there, which bounds memory and keeps the cost
// linear in the message. A short clause before a comma may say where or in which
// month the next one is («in Tokyo, …», 2024年3月，…); nothing else is carried on.
//
// Upper case, full-width forms and traditional characters are read like their
// plain forms. Spaces and emoji separate nothing in Chinese and count for
// nothing. What stands in quotation marks or 《》 is talked about, not asked for:
// it counts as one thing that is not known, unless the message is nothing else.
package intent
