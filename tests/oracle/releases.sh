# The releases whose real controllers are built here, newest first; `run` and `modfile` read this. The first of a minor
# is called by the minor alone. Further ones of it are from before a patch that changed a decision or a message. Where a
# later patch lacks a module that it is made of, an earlier one stands here.
releases=(1.37.1 1.36.3 1.35.4 1.34.4 1.33.13 1.32.13 1.31.3 1.29.15 1.29.6 1.28.15 1.28.2 1.27.11 1.27.3 1.26.15 1.26.9 1.25.16 1.23.17)

# The minors in which something changed that these sources are built against. A release older than one of them is
# built with the tag before_MINOR.
changes=(26 27 28 30 31 33 34 35)

# Seeds, beside those that are kept of every release, with which a long run found a difference that is mended now.
declare -A found=([1.25.16]=2027018795 [1.23.17]=2027077104)

# release NAME prints the release that is meant by a minor, as 1.35, or by itself.
release() {
	local one
	for one in "${releases[@]}"; do
		[[ $one != "$1" && ${one%.*} != "$1" ]] || { echo "$one" && return; }
	done
	echo "no controller of $1 here; there are: ${releases[*]}" >&2
	return 2
}

# name RELEASE prints what a release is called, in the names of its files too.
name() {
	[[ $(release "${1%.*}") != "$1" ]] && echo "$1" || echo "${1%.*}"
}

# mod RELEASE prints the file of its modules.
mod() {
	[[ $1 == "${releases[0]}" ]] && echo go.mod || echo "go.$(name "$1").mod"
}

# tags RELEASE prints its build tags.
tags() {
	local change tags=() minor=${1#1.}
	for change in "${changes[@]}"; do
		((${minor%.*} >= change)) || tags+=("before_$change")
	done
	(IFS=, && echo "${tags[*]-}")
}
