module example.com/verger

go 1.19
