module kubectl-hpa/described

go 1.23
