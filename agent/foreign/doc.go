// Package foreign is what the targets http and exec share: how agents that are not ours
// are asked, and what their answers mean: a turn as JSON, an answer in which a label and more stand at known places, and
// events on the way. What such an agent does not tell is missing, and not zero. Over
// which way they are reached is for others.
package foreign
