package walker

func dirSource(path string) source { return &pathSource{disk: osDisk(path)} }
