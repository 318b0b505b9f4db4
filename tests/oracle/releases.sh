# The releases whose real controllers are built here, newest first; `run` and `modfile` read this. Where a minor has
# no later patch with all the modules that it is made of, an earlier one stands here.
releases=(1.37.1 1.36.3 1.35.4 1.34.4 1.33.13 1.32.13 1.29.6 1.28.15 1.26.15 1.23.17)

# The minors in which something changed that these sources are built against. A release older than one of them is
# built with the tag before_MINOR.
changes=(26 27 28 30 31 33 34 35)

# release MINOR prints the release of a minor, as 1.35.
release() {
	local one
	for one in "${releases[@]}"; do
		[[ ${one%.*} != "$1" ]] || { echo "$one" && return; }
	done
	echo "no controller of $1 here; there are: ${releases[*]%.*}" >&2
	return 2
}

# tags MINOR prints the build tags of a minor.
tags() {
	local change tags=()
	for change in "${changes[@]}"; do
		((${1#1.} >= change)) || tags+=("before_$change")
	done
	(IFS=, && echo "${tags[*]-}")
}
