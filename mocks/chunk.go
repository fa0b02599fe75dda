package mocks

import "evalctl/mocks/random"

// chunkRand returns the random generator for the chunk sizes of a streamed text. The same call and
// text always give the same chunks.
func (c *call) chunkRand(text string) random.Rand {
	return random.Rand{Seed: random.Mix(c.seed, uint64(len(text)))}
}

// chunkLength returns the length, in bytes, of the next chunk of a streamed text: 2 to 5
// characters.
func chunkLength(s string, d *random.Rand) int {
	runes := 2 + int(d.Uint64()%4)
	for i := range s {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(s)
}

func (c *call) chunkCount(text string) (n int) {
	d := c.chunkRand(text)
	for ; text != ""; n++ {
		text = text[chunkLength(text, &d):]
	}
	return n
}
