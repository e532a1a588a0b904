package page

import (
	"strings"
	"testing"
)

func TestIsShell(t *testing.T) {
	for name, tt := range map[string]struct {
		src  string
		want bool
	}{
		"docsify":         {`<!DOCTYPE html><html><head><meta charset="UTF-8"><title>Document</title></head><body><div id="app">Loading ...</div><script>window.$docsify = {name: ''}</script><script src="//cdn.example/docsify"></script></body></html>`, true},
		"a bare root":     {`<!doctype html><title>App</title><script type=module src=/assets/index.js></script><body><noscript>You need to enable JavaScript to run this app. It will then show you everything that you have ever wanted to know of it.</noscript><div id="root"></div>`, true},
		"a template":      {`<script src=a.js></script><template><a href=/x>x</a></template><my-app></my-app>`, true},
		"no script":       {`<!doctype html><title>Empty</title><body>`, false},
		"a server's part": {`<h1>Uses</h1><!--#include virtual="uses.html" --><script>x()</script>`, false},
		"data":            {`<h1>Uses</h1><script type="application/ld+json">{"@type":"WebPage"}</script><SCRIPT TYPE=application/json>{}</SCRIPT>`, false},
		"data and script": {`<script type="application/json">{}</script><script src=a.js></script><p>Loading …`, true},
		"a link":          {`<script src=a.js></script><a href="/about">about</a>`, false},
		"a place":         {`<script src=a.js></script><a href="#/about">about</a>`, true},
		"a picture":       {`<script src=a.js></script><img src=a.png>`, false},
		"a game":          {`<script src=a.js></script><canvas></canvas>`, false},
		"text":            {`<script src=a.js></script><p>` + strings.Repeat("words ", 30), false},
		"no text":         {`<script src=a.js></script><p>` + strings.Repeat("1 2 3 ... ", 15), true},
		"cut in a script": {`<div id=root></div><script>let a = "<a href='/x'>x</a>"`, true},
		"nothing":         {``, false},
	} {
		if got := IsAppShell([]byte(tt.src)); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
