// Package llm talks to language models: chat, streams, JSON answers and
// embeddings over any provider that speaks OpenAI's wire format. It bounds
// every attempt in time, retries where a retry can help, leaves a span in the
// trace for each attempt, and keeps apart why a call failed: an *Error has a
// Kind, and errors.Is(err, llm.KindTimeout) asks for it.
//
// A Client is cheap: make one per trial. Prompts are files, see Prompt.
package llm
