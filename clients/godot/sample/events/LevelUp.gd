## Event type level_up, version 1.
## Sent once for every level, when it is reached. Shows where players are slow and where they stop.
class_name LevelUp
extends RefCounted

const event_type := "level_up"
const event_type_version := 1

var _data := {}

## level_: The level that was reached
func _init(level_: int) -> void:
	_data["level"] = level_

## The player's points at that moment
func score(value: int) -> LevelUp:
	_data["score"] = value
	return self

## How long the level before took, in seconds of play
func seconds_in_level(value: float) -> LevelUp:
	_data["seconds_in_level"] = value
	return self

## The class or hero that the player plays
func character(value: String) -> LevelUp:
	_data["character"] = value
	return self

## When it happened; the time of receipt counts when it is left out
func reached_at(value: String) -> LevelUp:
	_data["reached_at"] = value
	return self

func to_event() -> Dictionary:
	return _data
