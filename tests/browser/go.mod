module kubectl-hpa.local/browser

go 1.26.0
