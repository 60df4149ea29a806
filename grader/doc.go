// Package grader holds the words that every part of the grader shares: outcomes, verdicts, exit codes, diagnostics,
// compared fields and errors for people. It runs in the parent and in the worker, imports nothing of ours, and does
// nothing: its packages do (engine prepares and interprets a learner's file, sandbox runs a worker, probe executes and
// observes, fault breaks, task ties them together).
package grader
