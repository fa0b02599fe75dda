package diary

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"evalctl/agent/database"
	"evalctl/agent/fulltext"
)

// Bounds of a search.
const (
	defaultMost = 5
	maxMost     = 100
	maxSpans    = 400
	maxRanked   = 2000 // the newest days that hold a keyword
)

// DateRange is the days from one to another, both included: 2026-11-09, 2026-11-15.
type DateRange struct{ From, To string }

// Query asks for days of an agent.
type Query struct {
	Agent          string
	Days           []DateRange // none: any day
	Keywords       []string    // in the user's words
	RequireKeyword bool        // without dates, only days that hold a keyword
	Today          string      // later days are not seen
	Limit          int         // 0: 5
}

// Match is a day, and how well the keywords fit it: 0 not at all, below 1.
type Match struct {
	DailySummary
	Score float64
}

// Search finds the days that the dates allow: those that hold a keyword before the
// others, the best first and the newest of those that are alike. Keywords rank, and
// leave no day out but where the query says so; stop words are none.
func (d *MemoryStore) Search(ctx context.Context, q Query) ([]Match, error) {
	spans, err := q.spans()
	if err != nil {
		return nil, err
	}
	most := min(cmp.Or(max(q.Limit, 0), defaultMost), maxMost)
	var found []Match
	err = d.db.View(ctx, func(tx *database.Tx) error {
		agent, err := knownAgent(tx, q.Agent)
		if err != nil || agent == 0 {
			return err
		}
		s := search{tx: tx, spans: spans, first: agent * agentStep}
		wanted := terms(q.Keywords)
		hits, err := s.ranked(wanted, most)
		if err == nil && (!q.RequireKeyword || len(wanted) == 0 || len(q.Days) > 0) {
			hits, err = s.others(hits, most)
		}
		if err != nil {
			return err
		}
		found, err = s.read(hits, q.Agent)
		return err
	})
	return found, err
}

// span is what Span is, in numbers.
type span struct{ from, to int64 }

// spans are those of the query, the newest first, apart from each other and none
// after today.
func (q Query) spans() ([]span, error) {
	today, err := number(q.Today)
	if err != nil {
		return nil, fmt.Errorf("today: %w", err)
	}
	if len(q.Days) == 0 {
		return []span{{0, today}}, nil
	}
	if len(q.Days) > maxSpans {
		return nil, fmt.Errorf("asks for %d spans of days, more than %d", len(q.Days), maxSpans)
	}
	var all []span
	for _, d := range q.Days {
		from, err := number(d.From)
		if err != nil {
			return nil, err
		}
		to, err := number(d.To)
		if err != nil {
			return nil, err
		}
		if from > to {
			return nil, fmt.Errorf("date: %s is after %s", d.From, d.To)
		}
		all = append(all, span{from, min(to, today)})
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(b.to, a.to) })
	return apart(all), nil
}

// apart joins spans that overlap, of which the one that ends last comes first.
func apart(all []span) (joined []span) {
	for _, s := range all {
		if n := len(joined); n > 0 && s.to >= joined[n-1].from {
			joined[n-1].from = min(joined[n-1].from, s.from)
		} else if s.from <= s.to {
			joined = append(joined, s)
		}
	}
	return joined
}

// search is a look into an agent's days.
type search struct {
	tx    *database.Tx
	spans []span
	first int64 // the agent's days are numbered from here
}

// hit is a day's id, and how well it fits.
type hit struct {
	id    int64
	score float64
}

const newest = "SELECT id FROM days WHERE ? AND id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?"

// ranked are the days that hold a term, the best first.
func (s search) ranked(terms []string, most int) ([]hit, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	var ids []int64
	var texts []string
	match := `"` + strings.Join(terms, `" OR "`) + `"` // of letters and digits alone
	err := s.each(`SELECT id, folded FROM words CROSS JOIN days ON id = words.rowid
		WHERE words MATCH ? AND words.rowid BETWEEN ? AND ? ORDER BY words.rowid DESC LIMIT ?`, match, maxRanked, func(row database.Row) error {
		var id int64
		var text string
		if err := row.Scan(&id, &text); err != nil {
			return err
		}
		ids, texts = append(ids, id), append(texts, text)
		return nil
	})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	all := 0 // days, as far as they matter
	if err := s.each(newest, true, maxRanked, func(database.Row) error {
		all++
		return nil
	}); err != nil {
		return nil, err
	}
	hits := make([]hit, len(ids))
	for i, score := range scores(terms, texts, max(all, len(ids))) {
		hits[i] = hit{ids[i], score}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) }) // the newest come first
	return hits[:min(len(hits), most)], nil
}

// others adds the newest days that are not among the hits.
func (s search) others(hits []hit, most int) ([]hit, error) {
	known := map[int64]bool{}
	for _, h := range hits {
		known[h.id] = true
	}
	err := s.each(newest, true, most, func(row database.Row) error {
		var id int64
		if err := row.Scan(&id); err != nil {
			return err
		}
		if !known[id] && len(hits) < most {
			hits = append(hits, hit{id: id})
		}
		return nil
	})
	return hits, err
}

// each runs a query, of a condition and a span, span by span, for so many rows.
func (s search) each(query string, condition any, most int, f func(database.Row) error) error {
	for _, span := range s.spans {
		for row, err := range s.tx.Rows(query, condition, s.first+span.from, s.first+span.to, most) {
			if err != nil {
				return err
			}
			if err := f(row); err != nil {
				return err
			}
			most--
		}
		if most == 0 {
			return nil
		}
	}
	return nil
}

// read reads the days that are found.
func (s search) read(hits []hit, agent string) ([]Match, error) {
	var found []Match
	for _, h := range hits {
		for row, err := range s.tx.Rows("SELECT date, summary, topics, key_points FROM days WHERE id = ?", h.id) {
			if err != nil {
				return nil, err
			}
			day := DailySummary{Agent: agent}
			var topics, points string
			if err := row.Scan(&day.Date, &day.Summary, &topics, &points); err != nil {
				return nil, err
			}
			if err := cmp.Or(json.Unmarshal([]byte(topics), &day.Topics), json.Unmarshal([]byte(points), &day.KeyPoints)); err != nil {
				return nil, fmt.Errorf("day %s of %s: %w", day.Date, agent, err)
			}
			found = append(found, Match{DailySummary: day, Score: h.score})
		}
	}
	return found, nil
}

// scores are BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework,
// 2009) of texts among so many, of which the others hold no term, as a share of what
// a text could have at most.
func scores(terms, texts []string, among int) []float64 {
	const k, b = 1.2, 0.75
	n, length := float64(among), 0.0 // of the mean text
	for _, t := range texts {
		length += float64(len(t)) / float64(len(texts))
	}
	sums, whole := make([]float64, len(texts)), 0.0
	for _, term := range terms {
		if !fulltext.IsUnsegmented([]rune(term)[0]) {
			term = " " + term + " "
		}
		counts, holders := make([]float64, len(texts)), 0.0
		for i, t := range texts {
			if counts[i] = float64(strings.Count(t, term)); counts[i] > 0 {
				holders++
			}
		}
		rarity := math.Log(1 + (n-holders+0.5)/(holders+0.5))
		whole += rarity * (k + 1)
		for i, c := range counts {
			sums[i] += rarity * c * (k + 1) / (c + k*(1-b+b*float64(len(texts[i]))/length))
		}
	}
	for i := range sums {
		sums[i] /= whole
	}
	return sums
}
