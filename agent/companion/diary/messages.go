package diary

import (
	"context"
	"fmt"
	"math"
	"time"

	"evalctl/agent/database"
)

// Limits on the messages or days of one read or write.
const (
	maxBatch    = 1000
	maxMessages = 1000
	maxDays     = 400
)

// Message is a message of the user or the assistant. It belongs to the day of At in At's time zone.
type Message struct {
	Role    string    // user or assistant
	Content string    // truncated to 100,000 bytes
	At      time.Time // determines the day
	Delay   float64   // pause before a message of the assistant, in seconds
}

// Batch is a set of messages that are stored together: those of one turn and of its answer.
type Batch struct {
	ID           string // unique within its conversation
	Agent        string // agent that remembers the messages
	Conversation string // id of the session
	Messages     []Message
}

func (b Batch) check() error {
	for field, name := range map[string]string{"id": b.ID, "agent": b.Agent, "conversation": b.Conversation} {
		if err := checkName(field, name); err != nil {
			return err
		}
	}
	if n := len(b.Messages); n > maxBatch {
		return fmt.Errorf("has %d messages, more than %d", n, maxBatch)
	}
	for i, m := range b.Messages {
		if err := checkName("role", m.Role); err != nil {
			return fmt.Errorf("message %d: %w", i+1, err)
		}
		if math.IsNaN(m.Delay) {
			return fmt.Errorf("message %d: delay is not a number", i+1)
		}
	}
	return nil
}

// SaveBatches stores batches in one transaction. A batch that is already stored is an error.
func (d *Store) SaveBatches(ctx context.Context, batches ...Batch) error {
	for _, b := range batches {
		if err := b.check(); err != nil {
			return fmt.Errorf("batch %.40q: %w", b.ID, err)
		}
	}
	return d.db.Update(ctx, func(tx *database.Tx) error {
		for _, b := range batches {
			if err := store(tx, b); err != nil {
				return err
			}
		}
		return nil
	})
}

func store(tx *database.Tx, b Batch) error {
	agent, err := agentID(tx, b.Agent)
	if err != nil {
		return err
	}
	for i, m := range b.Messages {
		content := validUTF8(m.Content[:min(len(m.Content), maxContent)])
		if err := tx.Exec(`INSERT INTO messages (agent, conversation, batch, position, role, content, at, day, delay)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, agent, validUTF8(b.Conversation), validUTF8(b.ID), i,
			validUTF8(m.Role), content,
			m.At.Format(time.RFC3339Nano), m.At.Format(time.DateOnly), m.Delay); err != nil {
			return err
		}
	}
	return nil
}

// Messages returns the messages of all conversations with an agent on a day, in the order in which
// they were stored, at most the last 1,000.
func (d *Store) Messages(ctx context.Context, agent, day string) (all []Message, err error) {
	err = d.db.View(ctx, func(tx *database.Tx) error {
		for row, err := range tx.Rows(`SELECT role, content, at, delay FROM (
			SELECT m.* FROM messages m JOIN agents ON agents.id = agent
			WHERE name = ? AND day = ? ORDER BY m.id DESC LIMIT ?) ORDER BY id`,
			validUTF8(agent), day, maxMessages) {
			if err != nil {
				return err
			}
			var m Message
			var at string
			if err := row.Scan(&m.Role, &m.Content, &at, &m.Delay); err != nil {
				return err
			}
			if m.At, err = time.Parse(time.RFC3339Nano, at); err != nil {
				return err
			}
			all = append(all, m)
		}
		return nil
	})
	return all, err
}

// DaysWithoutSummary returns the days before today that have messages with the agent but no
// summary, in order, at most the last 400.
func (d *Store) DaysWithoutSummary(ctx context.Context, agent, today string) (days []string, err error) {
	err = d.db.View(ctx, func(tx *database.Tx) error {
		for row, err := range tx.Rows(`SELECT day FROM (
			SELECT DISTINCT day FROM messages m JOIN agents ON agents.id = agent WHERE name = ? AND day < ?
			AND NOT EXISTS (SELECT 1 FROM days WHERE days.agent = m.agent AND date = m.day) ORDER BY day DESC LIMIT ?) ORDER BY day`,
			validUTF8(agent), today, maxDays) {
			if err != nil {
				return err
			}
			var day string
			if err := row.Scan(&day); err != nil {
				return err
			}
			days = append(days, day)
		}
		return nil
	})
	return days, err
}
