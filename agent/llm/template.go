package llm

import (
	"fmt"
	"slices"
	"text/template/parse"
)

// allowedFuncs lists the template functions that a prompt may use. None makes its input longer.
var allowedFuncs = []string{"and", "or", "not", "eq", "ne", "index"}

// checkTemplate rejects templates that could run forever or exhaust memory. It refuses numbers (a
// range could count to them), nested ranges, nested templates and printing functions.
func checkTemplate(n parse.Node, ranges int) error {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return nil // the branch has no else
		}
		return checkAll(n.Nodes, ranges)
	case *parse.ActionNode:
		return checkTemplate(n.Pipe, ranges)
	case *parse.IfNode:
		return checkBranch(n.BranchNode, ranges)
	case *parse.WithNode:
		return checkBranch(n.BranchNode, ranges)
	case *parse.RangeNode:
		if ranges++; ranges > 1 {
			return refused(n)
		}
		return checkBranch(n.BranchNode, ranges)
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			if err := checkAll(c.Args, ranges); err != nil {
				return err
			}
		}
		return nil
	case *parse.ChainNode:
		return checkTemplate(n.Node, ranges)
	case *parse.IdentifierNode:
		if !slices.Contains(allowedFuncs, n.Ident) {
			return refused(n)
		}
		return nil
	case *parse.NumberNode, *parse.TemplateNode, *parse.BreakNode, *parse.ContinueNode:
		return refused(n)
	}
	return nil // texts, fields and variables are allowed
}

func checkAll(list []parse.Node, ranges int) error {
	for _, n := range list {
		if err := checkTemplate(n, ranges); err != nil {
			return err
		}
	}
	return nil
}

func checkBranch(b parse.BranchNode, ranges int) error {
	return checkAll([]parse.Node{b.Pipe, b.List, b.ElseList}, ranges)
}

func refused(n parse.Node) error { return fmt.Errorf("%.60s is not for prompts", n) }
